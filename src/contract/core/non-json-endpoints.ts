/** An endpoint whose request or response is not JSON, and which is therefore not part of the oRPC contract. */
export interface NonJsonEndpoint {
	method: 'GET' | 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS';
	/** Path, with `{name}` for a parameter. */
	path: string;
	summary: string;
	/** Content of the response. */
	response: string;
}

/** Path of the export of the caller's own data as a JSON file (GET). */
export const userDataExportPath = '/api/me/export';

function describe(
	address: `${NonJsonEndpoint['method']} /${string}`,
	summary: string,
	response: string,
): NonJsonEndpoint {
	const [method, path] = address.split(' ') as [NonJsonEndpoint['method'], string];
	return { method, path, summary, response };
}

/** All endpoints outside the contract, for the API documentation. */
export const nonJsonEndpoints: readonly NonJsonEndpoint[] = [
	describe('GET /', 'The landing page', 'text/html'),
	describe(
		'POST /purchase',
		'Submit the purchase form (multipart/form-data: name, phone, email, upiId, screenshot, optional utr)',
		'application/json or an HTML page, depending on the Accept header',
	),
	describe('GET /order/{token}', 'The status page of an order, by its secret link', 'text/html'),
	describe('GET /order/{token}/receipt', 'The receipt of a complete order', 'text/html'),
	describe(
		'POST /order/{token}/proof',
		'Add a payment screenshot to an order (multipart/form-data: screenshot, optional utr)',
		'a redirect to the page, or the page',
	),
	describe(
		'POST /order/{token}/address',
		'Correct the email address of an order (multipart/form-data: email)',
		'a redirect to the page, or the page',
	),
	describe(
		'POST /order/{token}/login',
		'Mail the login again (multipart/form-data)',
		'a redirect to the page, or the page',
	),
	describe(
		'POST /api/orders-statement',
		'Compare a bank or UPI statement with the orders (multipart/form-data: file, a CSV; ?date&amount&text: indexes of its columns, counted from 0)',
		'application/json: the rows and their matching orders, or the first rows if the columns must be chosen',
	),
	describe(
		'GET /api/files/{id}/content',
		'The content of a file, with range requests; ?download returns an attachment',
		'the file',
	),
	describe(
		'GET /api/files/{id}/thumb',
		'The thumbnail of an image, of the first page of a PDF, or of a video',
		'image/webp',
	),
	describe(
		'POST /api/files/{id}/poster',
		'Upload the poster of a video (multipart/form-data: file)',
		'application/json',
	),
	describe(
		'GET /api/archive',
		'Download folders and files as one ZIP; ?ids= lists their IDs, separated by commas',
		'application/zip',
	),
	describe(
		'GET /api/editions/{key}/content',
		'The PDF of an edition, with range requests; requires book access',
		'application/pdf',
	),
	describe(
		'GET /api/reading-export',
		'Your own annotations in all documents that you may read, as a file; ?format=md|json',
		'text/markdown or application/json',
	),
	describe(
		'GET /api/proofs/{id}/image',
		'A payment screenshot, converted to WebP; ?thumb returns a small version',
		'image/webp',
	),
	describe(
		'POST /api/chats/{userId}/attachments',
		'Send a file in a conversation (multipart/form-data: file; ?clientId=&authorId= as for a text message)',
		'the message',
	),
	describe(
		'GET /api/chats/{userId}/attachments/{id}',
		'The file of a message, with range requests; ?download returns an attachment',
		'the file',
	),
	describe(
		'POST /api/canned-replies/{id}/files',
		'Add a file to a canned reply (multipart/form-data: file)',
		'the file: {id, name, type, sizeBytes}',
	),
	describe(
		'GET /api/canned-replies/{id}/files/{fileId}',
		'A file of a canned reply, with range requests; ?download returns an attachment',
		'the file',
	),
	describe('GET /api/qr/{id}', 'The payment QR code', 'image/png'),
	describe('GET /api/films/{id}', 'A video that the owner uploaded, or its captions', 'the file, with range requests'),
	describe(
		'POST /api/settings/films/{film}/{part}',
		'Upload a video of the landing page, or its captions (multipart/form-data: file; ?version= of the settings)',
		'{version}',
	),
	describe('POST /api/settings/qr', 'Upload the payment QR code (multipart/form-data: file)', 'application/json'),
	describe('POST /api/uploads', 'Begin a resumable upload (tus 1.0.0; metadata owner, path, filename)', 'tus headers'),
	describe('OPTIONS /api/uploads', 'The capabilities of the upload endpoint (tus 1.0.0)', 'tus headers'),
	describe('HEAD /api/uploads/{id}', 'The number of bytes received of an upload', 'tus headers'),
	describe('PATCH /api/uploads/{id}', 'Send the next chunk (application/offset+octet-stream)', 'tus headers'),
	describe('DELETE /api/uploads/{id}', 'Cancel an upload', 'tus headers'),
	describe('OPTIONS /api/uploads/{id}', 'The capabilities of the upload endpoint (tus 1.0.0)', 'tus headers'),
	describe(
		'GET /api/audit.csv',
		'The audit entries as a file; filters as for /api/audit: person, kind, from, to',
		'text/csv',
	),
	describe('GET /api/orders.csv', 'The orders as a file; filters as for /api/orders: search, status', 'text/csv'),
	describe(
		'GET /api/events',
		'Events about changed data (server-sent events); ?ageMs: first the events of the last ageMs milliseconds',
		'text/event-stream',
	),
	describe(
		`GET ${userDataExportPath}`,
		'Your own data as a file: profile, sign-ins, sessions, orders, list of files',
		'application/json',
	),
	describe(
		'POST /delete-user-all',
		'Delete a user ({uid}): first the account, then its files',
		'application/json: {success, error}',
	),
	describe('GET /healthz', 'Whether the process responds', 'application/json'),
	describe('GET /readyz', 'Whether database and storage respond', 'application/json'),
	describe('GET /metrics', 'Prometheus metrics, for requests from loopback or with METRICS_TOKEN', 'text/plain'),
];
