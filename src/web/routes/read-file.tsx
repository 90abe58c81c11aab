import { useParams } from '@tanstack/react-router';
import { FileScreen } from '#web/features/reader/file-screen.tsx';

/** /read/file/{id}: a PDF among the files that one may read. */
export function ReadFileScreen() {
	const { id = '' } = useParams({ strict: false });
	return <FileScreen key={id} id={id} />;
}
