import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../app-error.ts';
import { readSingleFile } from './single-file-form.ts';

const maxBytes = 1000;
/** Resolves with the error when the route `/held` stops waiting for its file. */
const givenUp = Promise.withResolvers<unknown>();
const app = Fastify();
beforeAll(async () => {
	await app.register(multipart, { throwFileSizeLimit: true });
	app.addHook('onRequest', async (request) => {
		request.caller = { actor: null, ip: '192.0.2.1' } as FastifyRequest['caller'];
	});
	app.setErrorHandler((error, _request, reply) =>
		reply.code(422).send(error instanceof AppError ? { code: error.code, fields: error.fields } : String(error)),
	);
	const told = { maxBytes, code: 'STATEMENT_UNREADABLE', tooLarge: 'error_statement_too_large' } as const;
	app.post('/told', async (request, reply) => ({ length: (await readSingleFile(request, reply, told)).bytes.length }));
	const plain = { maxBytes, code: 'INVALID_INPUT' } as const;
	app.post('/plain', async (request, reply) => ({
		length: (await readSingleFile(request, reply, plain)).bytes.length,
	}));
	app.post('/held', async (request, reply) => {
		await readSingleFile(request, reply, told).catch(givenUp.resolve);
		return {};
	});
});
afterAll(() => app.close());

/** Sends a form in pieces, each after the previous one has been read. */
async function send(path: string, pieces: string[]) {
	const headers = { 'content-type': 'multipart/form-data; boundary=x' };
	const payload = Readable.from(
		(async function* () {
			for (const piece of pieces) {
				yield Buffer.from(piece);
				for (let turn = 0; turn < 5; turn += 1) await setImmediate();
			}
		})(),
	);
	return (await app.inject({ method: 'POST', url: path, headers, payload })).json();
}
const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
const end = '\r\n--x--\r\n';
const full = 'a'.repeat(maxBytes);

describe('readSingleFile', () => {
	test('reads a file below the maximum size', async () => {
		expect(await send('/told', [head, full.slice(1), end])).toEqual({ length: maxBytes - 1 });
	});

	test.each([
		['in one piece', [`${head + full}bc${end}`]],
		['in a later piece', [head, full, 'bc', end]],
		['with what ends the form', [head + full, `bc${end}`]],
	])('rejects a file that exceeds the limit %s instead of cutting it', async (_where, pieces) => {
		expect(await send('/told', pieces)).toEqual({
			code: 'STATEMENT_UNREADABLE',
			fields: { file: 'error_statement_too_large' },
		});
		expect(await send('/plain', pieces)).toMatchObject({ code: 'BODY_TOO_LARGE' });
	});

	test.each([
		['at once', [`${head}first\r\n${head}second${end}`]],
		['later', [`${head}first\r\n`, `${head}second`, end]],
	])('rejects a form with two files when the second one arrives %s', async (_when, pieces) => {
		expect(await send('/plain', pieces)).toEqual({ code: 'INVALID_INPUT', fields: { file: 'error_one_file' } });
	});

	test('stops waiting for a file when the connection breaks', async () => {
		await app.listen({ host: '127.0.0.1', port: 0 });
		const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
		const lines = [
			'POST /held HTTP/1.1',
			'host: x',
			'content-type: multipart/form-data; boundary=x',
			'content-length: 999',
		];
		socket.write(`${lines.join('\r\n')}\r\n\r\n${head}begun`);
		await once(app.server, 'request');
		socket.destroy();
		expect(await givenUp.promise).toBeInstanceOf(Error);
	});
});
