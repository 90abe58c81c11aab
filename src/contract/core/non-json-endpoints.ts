import { draftPreviewPath, imagesFolder, storefrontImagePath } from '../storefront/content.ts';

type Method = 'GET' | 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** Path of the export of the caller's own data as a JSON file (GET). */
export const userDataExportPath = '/api/me/export';

/**
 * Endpoints whose request or response is not JSON and which are therefore missing in the oRPC contract: method, path
 * (with `{name}` for a parameter), purpose and response. Only for the API documentation.
 */
export const nonJsonEndpoints: Record<`${Method} /${string}`, [summary: string, response: string]> = {
	'GET /': ['The landing page', 'text/html'],
	'POST /purchase': [
		'Submit the purchase form (multipart/form-data: name, phone, email, upiId, screenshot, optional utr)',
		'application/json or an HTML page, depending on the Accept header',
	],
	'GET /order/{token}': ['The status page of an order, by its secret link', 'text/html'],
	'GET /order/{token}/receipt': ['The receipt of a complete order', 'text/html'],
	'POST /order/{token}/proof': [
		'Add a payment screenshot to an order (multipart/form-data: screenshot, optional utr)',
		'a redirect to the page, or the page',
	],
	'POST /order/{token}/address': [
		'Correct the email address of an order (multipart/form-data: email)',
		'a redirect to the page, or the page',
	],
	'POST /order/{token}/login': ['Mail the login again (multipart/form-data)', 'a redirect to the page, or the page'],
	'POST /api/orders-statement': [
		'Compare a bank or UPI statement with the orders (multipart/form-data: file, a CSV; ?date&amount&text: indexes of its columns, counted from 0)',
		'application/json: the rows and their matching orders, or the first rows if the columns must be chosen',
	],
	'GET /api/files/{id}/content': [
		'The content of a file, with range requests; ?download returns an attachment',
		'the file',
	],
	'GET /api/files/{id}/thumb': ['The thumbnail of an image, of the first page of a PDF, or of a video', 'image/webp'],
	'POST /api/files/{id}/poster': ['Upload the poster of a video (multipart/form-data: file)', 'application/json'],
	'GET /api/archive': [
		'Download folders and files as one ZIP; ?ids= lists their IDs, separated by commas',
		'application/zip',
	],
	'GET /api/editions/{key}/content': [
		'The PDF of an edition, with range requests; requires book access',
		'application/pdf',
	],
	'GET /api/reading-export': [
		'Your own annotations in all documents that you may read, as a file; ?format=md|json',
		'text/markdown or application/json',
	],
	'GET /api/proofs/{id}/image': [
		'A payment screenshot, converted to WebP; ?thumb returns a small version',
		'image/webp',
	],
	'GET /api/test-purchase/mails/{id}': [
		'A mail to the test buyer that was saved as a file, because no SMTP server is set',
		'message/rfc822',
	],
	'POST /api/chats/{userId}/attachments': [
		'Send a file in a conversation (multipart/form-data: file; ?clientId=&authorId= as for a text message)',
		'the message',
	],
	'GET /api/chats/{userId}/attachments/{id}': [
		'The file of a message, with range requests; ?download returns an attachment',
		'the file',
	],
	'POST /api/canned-replies/{id}/files': [
		'Add a file to a canned reply (multipart/form-data: file)',
		'the file: {id, name, type, sizeBytes}',
	],
	'GET /api/canned-replies/{id}/files/{fileId}': [
		'A file of a canned reply, with range requests; ?download returns an attachment',
		'the file',
	],
	'GET /api/qr/{id}': ['The payment QR code', 'image/png'],
	'GET /api/films/{id}': ['A video that the owner uploaded, or its captions', 'the file, with range requests'],
	'POST /api/storefront/videos/{key}/{part}': [
		'Upload a video of the landing page, or its captions, into the draft (multipart/form-data: file; ?version= of the field)',
		'application/json: the field of the draft',
	],
	[`GET ${draftPreviewPath}`]: ['The landing page with the draft of its content; ?lang: its language', 'text/html'],
	[`POST ${storefrontImagePath}`]: [
		'Upload a picture for the storefront (multipart/form-data: file; ?kind&x&y&width&height: its use, and the area to show in pixels)',
		'application/json: {id, url, width, height}',
	],
	[`GET ${imagesFolder}{id}/{name}`]: [
		'A picture of the storefront in one width and type, such as 320.webp; for visitors if it is published',
		'image/avif, image/webp, image/jpeg or image/png',
	],
	'GET /storefront/colors/{file}': [
		"A stylesheet with the storefront's colours, which its address contains",
		'text/css',
	],
	'GET /storefront/social-en.png': ['The picture for links to the storefront in English, if it is drawn', 'image/png'],
	'GET /storefront/social-hi.png': ['The picture for links to the storefront in Hindi, if it is drawn', 'image/png'],
	'POST /api/settings/qr': ['Upload the payment QR code (multipart/form-data: file)', 'application/json'],
	'POST /api/uploads': ['Begin a resumable upload (tus 1.0.0; metadata owner, path, filename)', 'tus headers'],
	'POST /api/upload-batches': [
		'Upload several small files (application/vnd.folio.files: a line of JSON, an array of {id, owner, path, name, sizeBytes, modifiedMs, conflict}; then the bytes of all files in this order)',
		'application/json: {items}, for each file null or its error',
	],
	'OPTIONS /api/uploads': ['The capabilities of the upload endpoint (tus 1.0.0)', 'tus headers'],
	'HEAD /api/uploads/{id}': ['The number of bytes received of an upload', 'tus headers'],
	'PATCH /api/uploads/{id}': ['Send the next chunk (application/offset+octet-stream)', 'tus headers'],
	'DELETE /api/uploads/{id}': ['Cancel an upload', 'tus headers'],
	'OPTIONS /api/uploads/{id}': ['The capabilities of the upload endpoint (tus 1.0.0)', 'tus headers'],
	'GET /api/audit.csv': ['The audit entries as a file; filters as for /api/audit: person, kind, from, to', 'text/csv'],
	'GET /api/orders.csv': ['The orders as a file; filters as for /api/orders: search, status', 'text/csv'],
	'GET /api/events': [
		'Events about changed data (server-sent events); ?ageMs: first the events of the last ageMs milliseconds',
		'text/event-stream',
	],
	[`GET ${userDataExportPath}`]: [
		'Your own data as a file: profile, sign-ins, sessions, orders, list of files',
		'application/json',
	],
	'POST /delete-user-all': [
		'Delete a user ({uid}): first the account, then its files',
		'application/json: {success, error}',
	],
	'GET /healthz': ['Whether the process responds', 'application/json'],
	'GET /readyz': ['Whether database and storage respond', 'application/json'],
	'GET /metrics': ['Prometheus metrics, for requests from loopback or with METRICS_TOKEN', 'text/plain'],
};
