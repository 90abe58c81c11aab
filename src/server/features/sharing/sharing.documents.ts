import type { SharedDocument } from '#contract/sharing/sharing.ts';
import { pathBelow } from '../files/files.service.ts';
import type { ShareRow } from './sharing.queries.ts';

/** The specification's document of a share (sections 3 and 7); its id is made of path and address and can collide. */
export function documentOf(row: Omit<ShareRow, 'entryId'>): SharedDocument {
	const by = { sharedWith: row.sharedWith, sharedBy: row.sharedBy, sharedAt: row.sharedAt };
	if (row.kind === 'folder') {
		const folderPath = pathBelow(row);
		return { id: idOf(folderPath, row.sharedWith), folderPath, ...by };
	}
	const filePath = row.path === '' ? row.name : `${row.path}/${row.name}`;
	return {
		id: idOf(filePath, row.sharedWith),
		filePath,
		fileName: row.name,
		fileUrl: `/api/files/${row.id}/content`,
		...by,
	};
}

function idOf(path: string, email: string): string {
	return `${path.replaceAll('/', '_')}_${email}`;
}
