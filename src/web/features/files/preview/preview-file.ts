import type { Node } from '#contract/files/files.ts';

/** A file over the whole screen. */
export interface PreviewFile {
	id: string;
	name: string;
	size: number;
	url: string;
	/** Null for what can only be downloaded. */
	preview: Node['preview'];
	thumb: string | null;
	/** By which the reader opens it; null for what it does not: no PDF, or none among the files. */
	documentId: string | null;
}

/** What is offered first for a file: the server says what can be previewed, by content where the name leaves it open. */
export function mainActionOf(node: Pick<Node, 'preview' | 'url'>): 'preview' | 'download' {
	return node.preview !== null && node.url !== null ? 'preview' : 'download';
}

/** The files of a list that one goes through, in its order. */
export function previewFilesOf(nodes: readonly Node[]): PreviewFile[] {
	return nodes.flatMap(({ url, ...node }) => (url === null ? [] : [previewFileOf({ ...node, url })]));
}

/** A file of a space. */
export function previewFileOf(file: Omit<PreviewFile, 'documentId'>): PreviewFile {
	const { id, name, size, url, preview, thumb } = file;
	return { id, name, size, url, preview, thumb, documentId: preview === 'pdf' ? id : null };
}

/** The file before or after the one shown, or undefined at the ends. */
export function adjacentFile(files: readonly PreviewFile[], id: string, step: 1 | -1): PreviewFile | undefined {
	const index = files.findIndex((file) => file.id === id);
	return index < 0 ? undefined : files[index + step];
}

/** The address that answers with an attachment. */
export function downloadUrl(url: string): string {
	return `${url}${url.includes('?') ? '&' : '?'}download=1`;
}
