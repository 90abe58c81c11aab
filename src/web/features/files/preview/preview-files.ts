import type { Node } from '#contract/files/files.ts';

/** `preview` is null for a file that can only be downloaded. */
export interface PreviewFile extends Pick<Node, 'id' | 'name' | 'size' | 'preview' | 'thumb'> {
	url: string;
	/** Id with which the reader opens the file if it is a PDF; null if the reader cannot open the file. */
	documentId: string | null;
}

export function previewFilesOf(
	nodes: ReadonlyArray<Omit<PreviewFile, 'url' | 'documentId'> & Pick<Node, 'url'>>,
): PreviewFile[] {
	return nodes.flatMap((node) => (node.url === null ? [] : [{ ...node, url: node.url, documentId: node.id }]));
}
