import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';

/** Size of the browser's largest chunks. */
const chunkBytes = 32 * 1024 ** 2;
const agent = new Agent({ keepAlive: true });

/** How each side receives a file and sends it back; both requests need the cookie of an admin. */
export const uploaders = {
	/** Sends a file as the browser does: by tus, in chunks of 32 MB. */
	async folio(url, cookie, name, bytes) {
		const tus = { cookie, 'tus-resumable': '1.0.0' };
		const metadata = Object.entries({ owner: 'guest', path: '', filename: name })
			.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
			.join(',');
		const creation = { ...tus, 'upload-length': bytes.length, 'upload-metadata': metadata };
		const { headers } = await send(url, 'POST', '/api/uploads', creation, 201);
		for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
			const chunk = bytes.subarray(offset, offset + chunkBytes);
			const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': offset };
			await send(url, 'PATCH', headers.location, { ...tus, ...type }, 204, chunk);
		}
	},
	/** Sends a file in one PUT. */
	baseline: (url, cookie, name, bytes) => send(url, 'PUT', `/${name}`, { cookie }, 201, bytes),
};

/** Checks that a stored file has the bytes that were sent. @throws Error */
export async function requireStored(side, url, cookie, name, bytes) {
	const path = side === 'folio' ? await findContentUrl(url, cookie, name) : `/${name}`;
	const { body } = await send(url, 'GET', path, { cookie }, 200);
	const [stored, sent] = [body, bytes].map((content) => createHash('sha256').update(content).digest('hex'));
	if (stored !== sent) throw new Error(`${side} stored other bytes of ${name} than were sent.`);
}

async function findContentUrl(url, cookie, name) {
	const search = `/api/spaces/guest/nodes?limit=1000&search=${encodeURIComponent(name)}`;
	const { body } = await send(url, 'GET', search, { cookie }, 200);
	const node = JSON.parse(body.toString()).items.find((item) => item.name === name);
	return `${node?.url}?download=1`;
}

function send(url, method, path, headers, status, bytes = null) {
	return new Promise((resolve, reject) => {
		const length = bytes === null ? {} : { 'content-length': bytes.length };
		const options = { method, agent, headers: { ...headers, ...length } };
		const sent = request(new URL(path, url), options, (answer) => {
			const chunks = [];
			answer.on('data', (chunk) => chunks.push(chunk));
			answer.on('end', () => {
				const body = Buffer.concat(chunks);
				if (answer.statusCode === status) resolve({ headers: answer.headers, body });
				else reject(new Error(`${method} ${path}: ${answer.statusCode} ${body}`));
			});
		});
		sent.on('error', reject);
		sent.end(bytes);
	});
}
