import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps } from '../../platform/deps.ts';
import type { UploadRow } from './uploads.queries.ts';

/** Where the chunks of an unfinished upload gather. */
export function uploadFolder(deps: Deps): string {
	return join(deps.config.DATA_DIR, 'uploads');
}

/** Bytes of an unfinished upload that have arrived, wherever a cut-off finish has left them. */
export async function countArrivedBytes(deps: Deps, upload: UploadRow): Promise<number> {
	// In the order in which they move: asked the other way round, a finish between the two questions looks like a loss.
	const chunks = await stat(join(uploadFolder(deps), upload.id)).catch(() => null);
	return chunks?.size ?? (await deps.storage.findSize(upload.storage_key)) ?? 0;
}
