import type { Deps } from '../deps.ts';
import { describeError } from '../error-logging.ts';

/**
 * Removes bytes that no row points at. Where that fails it was not what anybody asked for: they are leftovers then, and
 * the upkeep removes them.
 */
export async function tryRemoveMany(
	{ storage, log }: Pick<Deps, 'storage' | 'log'>,
	keys: readonly string[],
): Promise<void> {
	try {
		await storage.removeMany(keys);
	} catch (error) {
		log.info({ keys: keys.length, why: describeError(error) }, 'left behind for the upkeep');
	}
}
