import * as z from 'zod';
import { limits } from '../core/limits.ts';

/** Where folders and files are packed as one ZIP: `?ids=` with their ids, a comma between them. */
export const archivePath = '/api/archive';

export const archiveQuery = z.object({
	ids: z
		.string()
		.transform((text) => text.split(',').filter((id) => id !== ''))
		.pipe(z.array(z.string().max(100)).min(1).max(limits.archivedAtOnceMax)),
});

/** Address of the archive of these nodes. */
export function archiveUrl(ids: readonly string[]): string {
	return `${archivePath}?ids=${ids.map(encodeURIComponent).join(',')}`;
}
