import { limits } from '#contract/core/limits.ts';
import { AppError } from '../../platform/app-error.ts';

/** How many folders a path of realPaths leads through. */
export function levelsOf(path: string): number {
	return path === '' ? 0 : path.split('/').length;
}

/** @throws AppError TOO_DEEP for folders that would stand deeper in each other than any call can name */
export function requireLevels(levels: number): void {
	if (levels > limits.folderLevelsMax)
		throw new AppError('TOO_DEEP', { params: { count: String(limits.folderLevelsMax) } });
}
