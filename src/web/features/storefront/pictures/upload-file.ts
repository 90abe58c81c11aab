import { errorBody, FailedCall, messageForStatus } from '#web/platform/api/failure.ts';

/** Posts a file as the field `file` of a form, and reports the part that was sent. @throws FailedCall */
export function uploadFile<Answer>(
	url: string,
	file: File,
	onProgress: (part: number) => void,
	signal?: AbortSignal,
): Promise<Answer> {
	return new Promise((resolve, reject) => {
		// fetch does not report upload progress.
		const request = new XMLHttpRequest();
		request.open('POST', url);
		request.responseType = 'json';
		request.setRequestHeader('Accept', 'application/json');
		request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
		const fail = () => {
			const body = errorBody.safeParse(request.response);
			const code = request.status === 0 ? 'OFFLINE' : 'INTERNAL';
			const failure = { code, status: request.status, message: messageForStatus(request.status), fields: {} };
			reject(new FailedCall(body.success ? body.data : failure));
		};
		request.onerror = fail;
		request.onabort = fail;
		request.onload = () => (request.status < 300 ? resolve(request.response as Answer) : fail());
		signal?.addEventListener('abort', () => request.abort(), { once: true });
		const form = new FormData();
		form.append('file', file, file.name);
		request.send(form);
	});
}
