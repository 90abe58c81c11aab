import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCsvStream } from '../../csv.ts';
import type { Deps } from '../../deps.ts';
import { dayOf } from '../../format.ts';
import { abortOnSessionEnd } from '../abort-on-session-end.ts';
import { attachmentDisposition } from './send-bytes.ts';

interface CsvFile {
	/** Of the file; the day comes behind it. */
	name: string;
	header: readonly string[];
	rows: () => AsyncIterable<readonly string[]>;
}

/** Rows as a file to be kept, streamed; cut off when the session ends. To HEAD only what the file would be. */
export async function sendCsv(deps: Deps, request: FastifyRequest, reply: FastifyReply, file: CsvFile) {
	const day = dayOf(deps.clock.now().toISOString(), deps.config.TIME_ZONE);
	reply.headers({
		'content-type': 'text/csv; charset=utf-8; header=present',
		'content-disposition': attachmentDisposition(`${file.name}-${day}.csv`),
	});
	if (request.method === 'HEAD') return reply.send(Readable.from([]));
	await abortOnSessionEnd(deps, request, reply, () => reply.raw.destroy());
	return reply.send(createCsvStream(file.header, file.rows()));
}
