import { createPublicKey, verify } from 'node:crypto';

interface Claims {
  aud: string;
  exp: number;
  sub: string;
}

/**
 * Checks a request's `Authorization` as RFC 8292 tells push services to, and as Apple does: signature, audience, an end within 24 hours,
 * and a contact on a public name. Returns the public key of the sender.
 */
export function checkVapid(authorization: string | undefined, origin: string, now: number): { key: string; claims: Claims } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  const [head = '', body = '', signature = ''] = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  const { alg, typ } = read(head);
  if (alg !== 'ES256' || typ !== 'JWT') throw new Error(`the token is ${typ} ${alg}`);
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  if (point.length !== 65 || point[0] !== 4 || !x || !y) throw new Error('the key is no uncompressed point');
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${body}`);
  const isSigned = verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  if (!isSigned) throw new Error('the signature is wrong');
  const claims: Claims = read(body);
  if (claims.aud !== origin) throw new Error(`the audience is ${claims.aud}`);
  const left = claims.exp - now / 1000;
  if (!(left > 0 && left <= 24 * 3600)) throw new Error(`the token ends in ${left} s`);
  if (!/^(?:mailto:[^@\s]+@|https:\/\/)[\w-]+(?:\.[\w-]+)+/.test(claims.sub) || /localhost|\.local\b|\.invalid\b/.test(claims.sub)) {
    throw new Error(`the subject is ${claims.sub}`);
  }
  return { key, claims };
}
