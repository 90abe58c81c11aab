import { createContext, useContext } from 'react';
import { m } from '#messages';

/** Whether the reader shows a file rather than the book. */
export const IsFileContext = createContext(false);

export function useReaderLabels() {
	const isFile = useContext(IsFileContext);
	return isFile
		? {
				loading: m.reader_file_loading(),
				failed: m.reader_file_failed(),
				search: m.reader_file_search(),
				progress: m.reader_file_progress(),
				noMarks: m.reader_file_annotations_none(),
			}
		: {
				loading: m.reader_loading(),
				failed: m.reader_failed(),
				search: m.reader_search(),
				progress: m.reader_progress(),
				noMarks: m.reader_annotations_none(),
			};
}
