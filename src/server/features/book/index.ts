export { hasBookAccess } from './access/access.queries.ts';
export { getBookAccess, grantBookAccess } from './access/access.service.ts';
export { enqueueCopies } from './book.jobs.ts';
export {
	type Book,
	findStoredQrBlobId,
	getBook,
	getBookForAdmin,
	presentPublicBook,
	presentStorefrontBook,
} from './content/content.service.ts';
export { getReadableEditions, getShelf } from './shelf/shelf.service.ts';
export { listIncompleteCopies } from './watermark/watermark.queries.ts';
export { deleteStaleCopies } from './watermark/watermark.service.ts';
