export { hasBookAccess } from './access/access.queries.ts';
export { getBookAccess } from './access/access.service.ts';
export { enqueueCopies } from './book.jobs.ts';
export { findStoredQrBlobId, getBook, presentPublicBook } from './content/content.service.ts';
export { getReadableEditions } from './shelf/shelf.service.ts';
export { listIncompleteCopies } from './watermark/watermark.queries.ts';
export { deleteStaleCopies } from './watermark/watermark.service.ts';
