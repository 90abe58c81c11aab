import type { Node } from '#contract/files/files.ts';

/** A file shown in the full-screen preview. */
export interface PreviewFile {
	id: string;
	name: string;
	size: number;
	url: string;
	/** Null for a file that can only be downloaded. */
	preview: Node['preview'];
	thumb: string | null;
	/** Document id by which the reader opens the file; null for a file that the reader does not open. */
	documentId: string | null;
}

/** The main action of a file. The server decides what can be previewed, by content where the name is ambiguous. */
export function mainActionOf(node: Pick<Node, 'preview' | 'url'>): 'preview' | 'download' {
	return node.preview !== null && node.url !== null ? 'preview' : 'download';
}

/** The files of a list that the preview steps through, in the list's order. */
export function previewFilesOf(nodes: readonly Node[]): PreviewFile[] {
	return nodes.flatMap(({ url, ...node }) => (url === null ? [] : [previewFileOf({ ...node, url })]));
}

/** A file of a space as the preview shows it. */
export function previewFileOf(file: Omit<PreviewFile, 'documentId'>): PreviewFile {
	const { id, name, size, url, preview, thumb } = file;
	return { id, name, size, url, preview, thumb, documentId: preview === 'pdf' ? id : null };
}

/** The file before or after the one shown, or undefined at the ends. */
export function adjacentFile(files: readonly PreviewFile[], id: string, step: 1 | -1): PreviewFile | undefined {
	const index = files.findIndex((file) => file.id === id);
	return index < 0 ? undefined : files[index + step];
}

/** The URL that returns the file as an attachment. */
export function downloadUrl(url: string): string {
	return `${url}${url.includes('?') ? '&' : '?'}download=1`;
}
