// Sends a buffer from stdin over HTTP with as little code as possible: the lower bound for any framework.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const body = await buffer(process.stdin);
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-encoding': 'br',
  'content-length': body.length,
};

const server = createServer((request, response) => {
  // Read the body, or the connection cannot take the next request.
  request.resume().on('end', () => response.writeHead(200, headers).end(body));
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
