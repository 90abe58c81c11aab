import type { Node } from '#contract/files/files.ts';

/** A file shown in the full-screen preview; `preview` is null for a file that can only be downloaded. */
export interface PreviewFile extends Pick<Node, 'id' | 'name' | 'size' | 'preview' | 'thumb'> {
	url: string;
	/** Document id by which the reader opens the file; null for a file that the reader does not open. */
	documentId: string | null;
}

/** Returns the main action of a file. The server decides which files can be previewed, by name or by content. */
export function mainActionOf(node: Pick<Node, 'preview' | 'url'>): 'preview' | 'download' {
	return node.preview !== null && node.url !== null ? 'preview' : 'download';
}

/** Returns the files of a list that the preview can show, in the list's order. */
export function previewFilesOf(
	nodes: ReadonlyArray<Omit<PreviewFile, 'url' | 'documentId'> & Pick<Node, 'url'>>,
): PreviewFile[] {
	return nodes.flatMap(({ id, name, size, url, preview, thumb }) =>
		url === null ? [] : [{ id, name, size, url, preview, thumb, documentId: preview === 'pdf' ? id : null }],
	);
}

/** Returns the file before or after the file with this id; undefined at the ends of the list. */
export function adjacentFile(files: readonly PreviewFile[], id: string, step: 1 | -1): PreviewFile | undefined {
	const index = files.findIndex((file) => file.id === id);
	return index < 0 ? undefined : files[index + step];
}

/** Returns the URL from which the server sends the file as an attachment. */
export function downloadUrl(url: string): string {
	return `${url}${url.includes('?') ? '&' : '?'}download=1`;
}
