import { uploadBatchPath, uploadBatchType } from '#contract/files/files.ts';
import type { BatchedFile, BatchResponse } from '#contract/files/uploads.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import * as read from '#web/platform/browser/readers.ts';
import { isWorthRetrying } from './transfer-policy.ts';
import { newUploadId, type TransportEvents, type UploadDestination, type UploadSource } from './upload-transport.ts';

/** A small file of a batch. */
export interface BatchMember {
	source: UploadSource;
	events: Omit<TransportEvents, 'onWaiting'>;
	/** Called when the file must be uploaded alone, with its id: it is perhaps on the server, or a retry may succeed. */
	onLeftOut: (destination: UploadDestination) => void;
}

export type SendBatch = (members: readonly BatchMember[], signal: AbortSignal) => Promise<void>;

/**
 * Sends small files in one request. Each file is stored or refused alone; retries are left to the upload of a single
 * file. Measured with 1,000 dropped files of 20 KB: 4.7 ms of processor time of browser and server for each file instead
 * of 12.3 with a request for each.
 */
export const sendBatch: SendBatch = async (members, signal) => {
	const prepared = (await Promise.all(members.map(prepare))).filter((member) => member !== null);
	const sent = prepared.filter(({ isResumed }) => !isResumed);
	const results = sent.length === 0 || signal.aborted ? [] : await send(sent, signal);
	for (const member of prepared) {
		const result = results[sent.indexOf(member)];
		if (result === null) member.events.onSuccess();
		else if (result === undefined || isWorthRetrying({ method: 'POST', ...result }))
			member.onLeftOut({ path: member.entry.path, resumeId: member.entry.id });
		else member.events.onFailure({ method: 'POST', ...result }, result.message);
	}
};

type PreparedMember = BatchMember & { entry: BatchedFile; isResumed: boolean };

/** Creates the folders of a file. @returns null after a failure */
async function prepare(member: BatchMember): Promise<PreparedMember | null> {
	const { file, owner, conflict, findDestination } = member.source;
	try {
		const { path, resumeId } = await findDestination();
		const id = resumeId ?? newUploadId();
		member.events.onCreated({ path, uploadId: id });
		const { name, size: sizeBytes, lastModified } = file;
		const modifiedMs = lastModified < 0 ? null : lastModified;
		const entry = { id, owner, path, name, sizeBytes, modifiedMs, conflict };
		return { ...member, entry, isResumed: resumeId !== undefined };
	} catch (error) {
		const { status, code, message } = describeFailure(error);
		member.events.onFailure({ method: 'POST', status, code }, message);
		return null;
	}
}

/** @returns the result of each file; an empty list when there is no answer */
function send(members: readonly PreparedMember[], signal: AbortSignal): Promise<BatchResponse['items']> {
	const list = new Blob([`${JSON.stringify(members.map(({ entry }) => entry))}\n`]);
	const request = new XMLHttpRequest();
	request.open('POST', uploadBatchPath);
	request.setRequestHeader('content-type', uploadBatchType);
	request.upload.onprogress = ({ loaded }) => reportProgress(members, loaded - list.size);
	signal.addEventListener('abort', () => request.abort());
	return new Promise((resolve) => {
		request.onloadend = () => resolve(request.status === 200 ? readResults(request.responseText, members.length) : []);
		reportProgress(members, 0);
		request.send(new Blob([list, ...members.map(({ source }) => source.file)]));
	});
}

/** `sentBytes`: of all files, which are sent in order. */
function reportProgress(members: readonly PreparedMember[], sentBytes: number): void {
	let start = 0;
	for (const { entry, events } of members) {
		events.onProgress(Math.min(entry.sizeBytes, Math.max(0, sentBytes - start)));
		start += entry.sizeBytes;
	}
}

const readResult = read.object({ status: read.number(), code: read.text(), message: read.text() });
const readResponse = read.object({ items: read.list(read.nullable(readResult)) });

function readResults(body: string, count: number): BatchResponse['items'] {
	try {
		const items = readResponse(JSON.parse(body))?.items;
		return items?.length === count ? items : [];
	} catch {
		// Proxies may answer with HTML.
		return [];
	}
}
