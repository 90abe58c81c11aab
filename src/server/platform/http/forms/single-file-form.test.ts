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
/** Resolves with the error with which the route `/aborted` stops waiting for its file. */
const abortError = Promise.withResolvers<unknown>();
const app = Fastify();
beforeAll(async () => {
	await app.register(multipart, { throwFileSizeLimit: true });
	app.addHook('onRequest', async (request) => {
		request.caller = { actor: null, ip: '192.0.2.1' } as FastifyRequest['caller'];
	});
	app.setErrorHandler((error, _request, reply) =>
		reply.code(422).send(error instanceof AppError ? { code: error.code, fields: error.fields } : String(error)),
	);
	const statementForm = { maxBytes, code: 'STATEMENT_UNREADABLE', tooLarge: 'error_statement_too_large' } as const;
	app.post('/statement', async (request, reply) => ({
		length: (await readSingleFile(request, reply, statementForm)).bytes.length,
	}));
	const anyFileForm = { maxBytes, code: 'INVALID_INPUT' } as const;
	app.post('/any-file', async (request, reply) => ({
		length: (await readSingleFile(request, reply, anyFileForm)).bytes.length,
	}));
	app.post('/aborted', async (request, reply) => {
		await readSingleFile(request, reply, statementForm).catch(abortError.resolve);
		return {};
	});
});
afterAll(() => app.close());

/** Sends a form in chunks, each after the previous chunk was read. */
async function send(path: string, chunks: string[]) {
	const headers = { 'content-type': 'multipart/form-data; boundary=x' };
	const payload = Readable.from(
		(async function* () {
			for (const chunk of chunks) {
				yield Buffer.from(chunk);
				for (let iteration = 0; iteration < 5; iteration += 1) await setImmediate();
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
		expect(await send('/statement', [head, full.slice(1), end])).toEqual({ length: maxBytes - 1 });
	});

	test.each([
		['in one chunk', [`${head + full}bc${end}`]],
		['in a later chunk', [head, full, 'bc', end]],
		['in the chunk with the end of the form', [head + full, `bc${end}`]],
	])('rejects a file that exceeds the limit %s instead of truncating it', async (_position, chunks) => {
		expect(await send('/statement', chunks)).toEqual({
			code: 'STATEMENT_UNREADABLE',
			fields: { file: 'error_statement_too_large' },
		});
		expect(await send('/any-file', chunks)).toMatchObject({ code: 'BODY_TOO_LARGE' });
	});

	test.each([
		['at once', [`${head}first\r\n${head}second${end}`]],
		['later', [`${head}first\r\n`, `${head}second`, end]],
	])('rejects a form with two files when the second file arrives %s', async (_time, chunks) => {
		expect(await send('/any-file', chunks)).toEqual({ code: 'INVALID_INPUT', fields: { file: 'error_one_file' } });
	});

	test('stops waiting for a file when the connection breaks', async () => {
		await app.listen({ host: '127.0.0.1', port: 0 });
		const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
		const lines = [
			'POST /aborted HTTP/1.1',
			'host: x',
			'content-type: multipart/form-data; boundary=x',
			'content-length: 999',
		];
		socket.write(`${lines.join('\r\n')}\r\n\r\n${head}first bytes`);
		await once(app.server, 'request');
		socket.destroy();
		expect(await abortError.promise).toBeInstanceOf(Error);
	});
});
