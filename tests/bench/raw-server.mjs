// The least that can send a buffer over HTTP: what no framework can be faster than. The buffer comes by stdin.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const body = await buffer(process.stdin);
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-encoding': 'br',
  'content-length': body.length,
};

const server = createServer((request, response) => {
  // A request's own body has to be read before the next request can be.
  request.resume().on('end', () => response.writeHead(200, headers).end(body));
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
