import { limits } from '#contract/core/limits.ts';

/**
 * Size in bytes of the chunk after one that the server has accepted: doubled, up to the largest.
 * Source: the specification's section 9 (256 KB doubling to 32 MB).
 */
export function nextChunkBytes(currentBytes: number): number {
	return Math.min(currentBytes * 2, limits.uploadLargestChunkBytes);
}
