import { useNavigate, useParams } from '@tanstack/react-router';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { FileReaderScreen } from '#web/features/book/reader/file-reader-screen.tsx';
import { ReaderScreen } from '#web/features/book/reader/reader-screen.tsx';

/** /read/{edition}: an edition of the book in the reader. */
export function ReadScreen() {
	const { edition = '' } = useParams({ strict: false });
	const navigate = useNavigate();
	const goTo = ({ key }: ShelfEdition) =>
		void navigate({ to: '/read/$edition', params: { edition: key }, replace: true });
	return <ReaderScreen edition={edition} onEdition={goTo} />;
}

/** /read/file/{id}: a PDF file in the reader. */
export function ReadFileScreen() {
	const { id = '' } = useParams({ strict: false });
	return <FileReaderScreen key={id} id={id} />;
}
