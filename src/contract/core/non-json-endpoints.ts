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

/** All endpoints outside the contract, for the API's description. */
export const nonJsonEndpoints: readonly NonJsonEndpoint[] = [
	{ method: 'GET', path: '/', summary: 'The landing page', response: 'text/html' },
	{
		method: 'POST',
		path: '/purchase',
		summary: 'The purchase form (multipart/form-data: name, phone, email, upiId, utr where known, screenshot)',
		response: 'application/json or a page, by Accept',
	},
	{
		method: 'GET',
		path: '/order/{token}',
		summary: 'The page of an order by its secret link',
		response: 'text/html',
	},
	{ method: 'GET', path: '/order/{token}/receipt', summary: 'The receipt of a complete order', response: 'text/html' },
	{
		method: 'POST',
		path: '/order/{token}/proof',
		summary: 'Add a payment screenshot (multipart/form-data: utr where known, screenshot)',
		response: 'a redirect to the page, or the page',
	},
	{
		method: 'POST',
		path: '/order/{token}/address',
		summary: 'Correct the email of an order (multipart/form-data: email)',
		response: 'a redirect to the page, or the page',
	},
	{
		method: 'POST',
		path: '/order/{token}/login',
		summary: 'Send the login again (multipart/form-data)',
		response: 'a redirect to the page, or the page',
	},
	{
		method: 'POST',
		path: '/api/orders-statement',
		summary:
			'Compare a bank or UPI statement with the orders (multipart/form-data: file, a CSV; ?date&amount&text: its columns, counted from 0)',
		response:
			'application/json: the lines by what is known of them; or the first rows, where the columns are to be named',
	},
	{
		method: 'GET',
		path: '/api/files/{id}/content',
		summary: "A file's bytes; ranges; ?download for an attachment",
		response: 'the file',
	},
	{
		method: 'GET',
		path: '/api/files/{id}/thumb',
		summary: "A file's small picture: of an image, a PDF's first page, a film's poster",
		response: 'image/webp',
	},
	{
		method: 'POST',
		path: '/api/files/{id}/poster',
		summary: 'Give a film its small picture (multipart/form-data: file)',
		response: 'application/json',
	},
	{
		method: 'GET',
		path: '/api/archive',
		summary: 'Folders and files as one ZIP; ?ids= with a comma between them',
		response: 'application/zip',
	},
	{
		method: 'GET',
		path: '/api/editions/{key}/content',
		summary: "An edition's bytes; ranges; only with book access",
		response: 'application/pdf',
	},
	{
		method: 'GET',
		path: '/api/reading-export',
		summary: 'Own bookmarks, highlights and notes in what one may read, as a file; ?format=md|json',
		response: 'text/markdown or application/json',
	},
	{
		method: 'GET',
		path: '/api/proofs/{id}/image',
		summary: 'A payment screenshot, written anew; ?thumb for its small form',
		response: 'image/webp',
	},
	{
		method: 'POST',
		path: '/api/chats/{userId}/attachments',
		summary: 'Send a file in a conversation (multipart field file, ?clientId=&authorId= as for a text)',
		response: 'the message',
	},
	{
		method: 'GET',
		path: '/api/chats/{userId}/attachments/{id}',
		summary: "A message's file; ranges; ?download for an attachment",
		response: 'the file',
	},
	{
		method: 'POST',
		path: '/api/canned-replies/{id}/files',
		summary: 'Add a file to a canned reply (multipart field file)',
		response: 'the file: {id, name, type, sizeBytes}',
	},
	{
		method: 'GET',
		path: '/api/canned-replies/{id}/files/{fileId}',
		summary: "A canned reply's file; ranges; ?download for an attachment",
		response: 'the file',
	},
	{ method: 'GET', path: '/api/qr/{id}', summary: 'The payment QR', response: 'image/png' },
	{
		method: 'GET',
		path: '/api/films/{id}',
		summary: "A film of the owner's, or its captions",
		response: 'bytes, in ranges too',
	},
	{
		method: 'POST',
		path: '/api/settings/films/{film}/{part}',
		summary: "Upload a landing page's film or its captions (multipart field file, ?version= of the settings)",
		response: '{version}',
	},
	{
		method: 'POST',
		path: '/api/settings/qr',
		summary: 'Upload the payment QR (multipart/form-data: file)',
		response: 'application/json',
	},
	{
		method: 'POST',
		path: '/api/uploads',
		summary: 'Begin a resumable upload (tus 1.0.0; metadata owner, path, filename)',
		response: 'tus headers',
	},
	{
		method: 'OPTIONS',
		path: '/api/uploads',
		summary: 'What the upload endpoint can do (tus 1.0.0)',
		response: 'tus headers',
	},
	{ method: 'HEAD', path: '/api/uploads/{id}', summary: 'How much of an upload has arrived', response: 'tus headers' },
	{
		method: 'PATCH',
		path: '/api/uploads/{id}',
		summary: 'Send the next chunk (application/offset+octet-stream)',
		response: 'tus headers',
	},
	{ method: 'DELETE', path: '/api/uploads/{id}', summary: 'Cancel an upload', response: 'tus headers' },
	{
		method: 'OPTIONS',
		path: '/api/uploads/{id}',
		summary: 'What the upload endpoint can do (tus 1.0.0)',
		response: 'tus headers',
	},
	{
		method: 'GET',
		path: '/api/audit.csv',
		summary: 'Who changed what, as a file; the filter of /api/audit: person, kind, from, to',
		response: 'text/csv',
	},
	{
		method: 'GET',
		path: '/api/orders.csv',
		summary: 'The orders as a file; the filter of /api/orders: search, status',
		response: 'text/csv',
	},
	{
		method: 'GET',
		path: '/api/events',
		summary: 'Hints about changes, as server-sent events; ?ageMs: first those of the last so many milliseconds',
		response: 'text/event-stream',
	},
	{
		method: 'GET',
		path: userDataExportPath,
		summary: 'Own data as a file: profile, sign-ins, sessions, orders, list of files',
		response: 'application/json',
	},
	{
		method: 'POST',
		path: '/delete-user-all',
		summary: 'Delete a person ({uid}): the account at once, then everything it holds',
		response: 'application/json: {success, error}',
	},
	{ method: 'GET', path: '/healthz', summary: 'Whether the process answers', response: 'application/json' },
	{ method: 'GET', path: '/readyz', summary: 'Whether database and storage answer', response: 'application/json' },
	{ method: 'GET', path: '/metrics', summary: 'Prometheus metrics; loopback or METRICS_TOKEN', response: 'text/plain' },
];
