import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { logSpecifiedTexts } from '../texts/specified-texts.ts';

export type HttpClient = ReturnType<typeof createHttpClient>;

/** Creates a client that calls the app in process, from `remoteAddress`. */
export function createHttpClient(app: FastifyInstance, remoteAddress = '203.0.113.7') {
	const cookies = new Map<string, string>();
	const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
	async function call(
		method: NonNullable<InjectOptions['method']>,
		url: string,
		body?: unknown,
		headers: Record<string, string> = {},
	): Promise<LightMyRequestResponse> {
		const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
		const response = await app.inject({
			method,
			url,
			remoteAddress,
			headers: {
				...(cookies.size > 0 && { cookie: cookie() }),
				...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
				...headers,
			},
			...(body !== undefined && { payload: isRaw ? body : JSON.stringify(body) }),
		});
		for (const { name, value } of response.cookies) {
			if (value === '') cookies.delete(name);
			else cookies.set(name, value);
		}
		logSpecifiedTexts(response.body, `${method} ${url}`);
		return response;
	}
	/** Signs in and stores the cookie. @throws Error when the server refuses the sign-in */
	async function signIn(email: string, password: string): Promise<void> {
		const response = await call('POST', '/api/sign-in', { email, password });
		if (response.statusCode !== 200) throw new Error(`sign-in of ${email}: ${response.statusCode} ${response.body}`);
	}
	return { call, signIn, cookie };
}

/** An image that the app processes quickly: 16 × 16 pixels of one colour. */
export const smallPng = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAGUlEQVQokWP4sMyKJMQwqmHZaCh9GK5JAwBiudAQEA4c4wAAAABJRU5ErkJggg==',
	'base64',
);

export function checkoutForm(email: string, name = 'Asha Rao', bytes: Buffer = smallPng) {
	const fields = { name, phone: '98230 55512', email, upiId: 'buyer@examplebank' };
	const { body, headers } = multipart(fields, { field: 'screenshot', name: 'paid.png', type: 'image/png', bytes });
	return { body, headers: { ...headers, accept: 'application/json' } };
}

export function multipart(
	fields: Record<string, string>,
	file?: { field: string; name: string; type: string; bytes: Buffer },
): { body: Buffer; headers: Record<string, string> } {
	const boundary = '----folio-test-boundary';
	const parts: Buffer[] = Object.entries(fields).map(([name, value]) =>
		Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
	);
	if (file !== undefined) {
		parts.push(
			Buffer.from(
				`--${boundary}\r\nContent-Disposition: form-data; name="${file.field}"; filename="${file.name}"\r\nContent-Type: ${file.type}\r\n\r\n`,
			),
			file.bytes,
			Buffer.from('\r\n'),
		);
	}
	parts.push(Buffer.from(`--${boundary}--\r\n`));
	return { body: Buffer.concat(parts), headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

export function postFile(client: HttpClient, url: string, name: string, bytes: Buffer, type = 'image/png') {
	const { body, headers } = multipart({}, { field: 'file', name, type, bytes });
	return client.call('POST', url, body, headers);
}
