import { loadSharp } from '../../../platform/images/load-sharp.ts';

export const fingerprintWidth = 128;
export const fingerprintHeight = 256;
/** The edge grid has cells of 16 × 16 grey values. Its values are in sixteenths of a grey level. */
const cellSize = 16;
const edgeGridWidth = fingerprintWidth / cellSize;
const edgeGridHeight = fingerprintHeight / cellSize;
export const edgeGridLength = edgeGridWidth * edgeGridHeight;
/** Each value of the edge summary is the sum of 2 × 4 cells of the edge grid. */
export const cellsPerSummary = 8;
export const edgeSummaryLength = edgeGridLength / cellsPerSummary;
const edgeGridScale = 16;

export async function computeFingerprint(picture: Buffer): Promise<Uint8Array> {
	const sharp = await loadSharp();
	const { data } = await sharp(picture)
		.flatten({ background: '#fff' })
		.resize(fingerprintWidth, fingerprintHeight, { fit: 'fill', kernel: 'mitchell', fastShrinkOnLoad: false })
		.toColourspace('b-w')
		.raw()
		.toBuffer({ resolveWithObject: true });
	return new Uint8Array(data);
}

/** Computes the mean gradient in each cell. Compression changes grey levels a little, but hardly the gradients. */
export function edgeGridOf(fingerprint: ArrayLike<number>): Int16Array {
	const sums = new Float64Array(edgeGridLength);
	const gradients = gradientOf(fingerprint);
	for (let at = 0; at < gradients.length; at += 1) {
		const index =
			Math.floor(at / fingerprintWidth / cellSize) * edgeGridWidth + Math.floor((at % fingerprintWidth) / cellSize);
		sums[index] = (sums[index] as number) + (gradients[at] as number);
	}
	return Int16Array.from(sums, (sum) => Math.round((sum / cellSize ** 2) * edgeGridScale));
}

/**
 * Computes a summary to compare first. The squared distance of two summaries, divided by {@link cellsPerSummary}, is a
 * lower bound of the squared distance of their edge grids.
 */
export function edgeSummaryOf(edgeGrid: ArrayLike<number>): Float64Array {
	const summary = new Float64Array(edgeSummaryLength);
	for (let at = 0; at < edgeGridLength; at += 1) {
		const index = Math.floor(at / edgeGridWidth / 4) * (edgeGridWidth / 2) + Math.floor((at % edgeGridWidth) / 2);
		summary[index] = (summary[index] as number) + (edgeGrid[at] as number);
	}
	return summary;
}

/** Returns how the edge grid changes with a small shift or stretch: up to four orthonormal directions. */
export function tangentsOf(fingerprint: Uint8Array): Float64Array[] {
	const here = edgeGridOf(fingerprint);
	const plain = Float32Array.from(fingerprint);
	const changes = [0, 1, 2, 3].map((direction) => {
		const warp: Warp = [0, 0, 0, 0];
		warp[direction] = 1;
		const moved = edgeGridOf(warpFingerprint(plain, warp));
		return Float64Array.from(moved, (value, i) => value - (here[i] as number));
	});
	return orthonormalize(changes);
}

export function orthonormalize(vectors: Float64Array[]): Float64Array[] {
	const directions: Float64Array[] = [];
	for (const vector of vectors) {
		const direction = vector.slice();
		for (const earlier of directions) {
			const part = dot(direction, earlier);
			for (let i = 0; i < direction.length; i += 1)
				direction[i] = (direction[i] as number) - part * (earlier[i] as number);
		}
		const length = Math.sqrt(dot(direction, direction));
		if (length > 1e-6) directions.push(direction.map((value) => value / length));
	}
	return directions;
}

function dot(a: Float64Array, b: Float64Array): number {
	return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
}

/** Horizontal shift and stretch, then vertical shift and stretch, in pixels of the fingerprint. */
type Warp = [number, number, number, number];

const maxShift = 4;
const blockSize = 4;
const squareStep = 2;

/** The blurred versions of a fingerprint that the alignment uses, by the radius of the blur. */
type BlurredFingerprint = Map<number, Float32Array>;

/** Blur radii in the order of the alignment. Large shifts are only found in widely blurred images. */
const radii = [6, 6, 3, 1, 1] as const;
const comparedRadius = 1;

export function blurFingerprint(fingerprint: Uint8Array): BlurredFingerprint {
	return new Map([...new Set(radii)].map((radius) => [radius, blur(fingerprint, radius)]));
}

/** Compression, scaling and cropping cause differences up to these limits (decision 10). */
const maxBlockDifference = 11;
const maxContrastRatio = 0.28;

/**
 * Returns whether two fingerprints show the same picture. After alignment, no area may differ by more than a few grey
 * levels or by a large part of the local contrast. The second limit detects small grey letters, which are only a few
 * levels darker than the background.
 */
export function isSameImage(one: BlurredFingerprint, other: BlurredFingerprint): boolean {
	const ours = one.get(comparedRadius) as Float32Array;
	for (const aligned of alignmentsOf(one, other)) {
		const gaps = ours.map((value, at) => value - (aligned[at] as number));
		const largestBlock = Math.max(...sumSquares(gaps.map(Math.abs), blockSize)) / blockSize ** 2;
		if (largestBlock > maxBlockDifference) continue;
		if (largestContrastRatio(gaps, ours, aligned) <= maxContrastRatio) return true;
	}
	return false;
}

/** Yields the other image aligned to the first, with increasing precision. */
function* alignmentsOf(one: BlurredFingerprint, other: BlurredFingerprint): Generator<Float32Array> {
	const warp: Warp = [0, 0, 0, 0];
	for (const radius of radii) {
		const ours = one.get(radius) as Float32Array;
		const aligned = warpFingerprint(other.get(radius) as Float32Array, warp);
		if (radius === comparedRadius) yield aligned;
		const step = solveEquations(...normalEquations(ours, aligned));
		for (let i = 0; i < warp.length; i += 1) warp[i] = (warp[i] as number) + (step[i] as number);
		if (warp.some((shift) => Math.abs(shift) > maxShift)) return;
	}
	yield warpFingerprint(other.get(comparedRadius) as Float32Array, warp);
}

function blur(fingerprint: ArrayLike<number>, radius: number): Float32Array {
	return blurLines(
		blurLines(Float32Array.from(fingerprint), radius, fingerprintWidth, 1),
		radius,
		fingerprintHeight,
		fingerprintWidth,
	);
}

/** Replaces each value by the mean within `radius` on its line. A line has `length` values, `stride` indexes apart. */
function blurLines(fingerprint: Float32Array, radius: number, length: number, stride: number): Float32Array {
	const blurred = new Float32Array(fingerprint.length);
	const nextLine = stride === 1 ? fingerprintWidth : 1;
	for (let line = 0, start = 0; line < fingerprint.length / length; line += 1, start += nextLine) {
		let sum = 0;
		let count = 0;
		for (let i = -radius; i < length; i += 1) {
			const incoming = i + radius;
			const outgoing = i - radius - 1;
			if (incoming < length) sum += fingerprint[start + incoming * stride] as number;
			if (incoming < length) count += 1;
			if (outgoing >= 0) sum -= fingerprint[start + outgoing * stride] as number;
			if (outgoing >= 0) count -= 1;
			if (i >= 0) blurred[start + i * stride] = sum / count;
		}
	}
	return blurred;
}

/** Returns the fingerprint after a warp, interpolating between its values and repeating its edges. */
function warpFingerprint(fingerprint: Float32Array, [across, stretchAcross, down, stretchDown]: Warp): Float32Array {
	const aligned = new Float32Array(fingerprint.length);
	for (let y = 0; y < fingerprintHeight; y += 1) {
		const fromY = clamp(y + down + stretchDown * ((2 * y) / fingerprintHeight - 1), fingerprintHeight - 1.001);
		const y0 = Math.floor(fromY);
		const partY = fromY - y0;
		for (let x = 0; x < fingerprintWidth; x += 1) {
			const fromX = clamp(x + across + stretchAcross * ((2 * x) / fingerprintWidth - 1), fingerprintWidth - 1.001);
			const x0 = Math.floor(fromX);
			const partX = fromX - x0;
			const at = y0 * fingerprintWidth + x0;
			const top = (fingerprint[at] as number) * (1 - partX) + (fingerprint[at + 1] as number) * partX;
			const below = at + fingerprintWidth;
			const bottom = (fingerprint[below] as number) * (1 - partX) + (fingerprint[below + 1] as number) * partX;
			aligned[y * fingerprintWidth + x] = top * (1 - partY) + bottom * partY;
		}
	}
	return aligned;
}

function clamp(value: number, most: number): number {
	return Math.min(Math.max(value, 0), most);
}

/** Returns the normal equations of the warp that makes `aligned` most similar to `one` (Lucas and Kanade, 1981). */
function normalEquations(one: Float32Array, aligned: Float32Array): [number[][], number[]] {
	const sums = new Float64Array(20);
	const row = new Float64Array(5);
	for (let y = 1; y < fingerprintHeight - 1; y += 1) {
		const v = (2 * y) / fingerprintHeight - 1;
		for (let x = 1; x < fingerprintWidth - 1; x += 1) {
			const at = y * fingerprintWidth + x;
			const slopeX = ((aligned[at + 1] as number) - (aligned[at - 1] as number)) / 2;
			const slopeY = ((aligned[at + fingerprintWidth] as number) - (aligned[at - fingerprintWidth] as number)) / 2;
			if (slopeX === 0 && slopeY === 0) continue;
			row[0] = slopeX;
			row[1] = slopeX * ((2 * x) / fingerprintWidth - 1);
			row[2] = slopeY;
			row[3] = slopeY * v;
			row[4] = (one[at] as number) - (aligned[at] as number);
			for (let i = 0; i < 4; i += 1) {
				for (let j = i; j < 5; j += 1)
					sums[i * 5 + j] = (sums[i * 5 + j] as number) + (row[i] as number) * (row[j] as number);
			}
		}
	}
	const sum = (i: number, j: number) => sums[Math.min(i, j) * 5 + Math.max(i, j)] as number;
	const four = [0, 1, 2, 3];
	return [four.map((i) => four.map((j) => sum(i, j))), four.map((i) => sum(i, 4))];
}

/** Solves equations with a symmetric, positive definite matrix by Gauss–Jordan elimination without pivoting. */
function solveEquations(matrix: number[][], right: number[]): number[] {
	// Adding 1 to the diagonal makes the matrix invertible, and yields no movement where the image has no gradient.
	const rows = matrix.map((row, i) => [...row.map((value, j) => value + (i === j ? 1 : 0)), right[i] as number]);
	for (const [i, pivot] of rows.entries()) {
		for (const row of rows) {
			if (row === pivot) continue;
			const part = (row[i] as number) / (pivot[i] as number);
			for (let j = i; j < 5; j += 1) row[j] = (row[j] as number) - part * (pivot[j] as number);
		}
	}
	return rows.map((row, i) => (row[4] as number) / (row[i] as number));
}

/** Grey levels added to the contrast, so that small differences in a flat area do not count. */
const noiseLevels = 12;
/** Side of the compared squares, about the size of a small letter. */
const letterSize = 3;
/** Radius of the area whose mean difference is subtracted, because compression changes the grey of whole areas. */
const areaRadius = 6;

/**
 * Returns the largest ratio of a local difference to the local contrast. The mean difference of the surrounding area is
 * subtracted from the local difference first.
 */
function largestContrastRatio(gaps: Float32Array, one: Float32Array, aligned: Float32Array): number {
	const areas = blur(gaps, areaRadius);
	const localGaps = gaps.map((gap, at) => Math.abs(gap - (areas[at] as number)));
	const alignedGradients = gradientOf(aligned);
	const gradients = gradientOf(one).map((gradient, at) => (gradient + (alignedGradients[at] as number)) / 2);
	const contrasts = sumSquares(gradients, letterSize).map((contrast) => contrast + noiseLevels * letterSize ** 2);
	return Math.max(...sumSquares(localGaps, letterSize).map((gap, index) => gap / (contrasts[index] as number)));
}

/** Returns the sums of overlapping squares of a fingerprint, without its edge. */
function sumSquares(fingerprint: Float32Array, size: number): number[] {
	const sums: number[] = [];
	for (let top = blockSize; top + size <= fingerprintHeight - blockSize; top += squareStep) {
		for (let left = blockSize; left + size <= fingerprintWidth - blockSize; left += squareStep) {
			let sum = 0;
			for (let y = top; y < top + size; y += 1) {
				for (let x = left; x < left + size; x += 1) sum += fingerprint[y * fingerprintWidth + x] as number;
			}
			sums.push(sum);
		}
	}
	return sums;
}

/** Computes the gradient at each value of a fingerprint, except in the last column and row. */
function gradientOf(fingerprint: ArrayLike<number>): Float32Array {
	const gradients = new Float32Array(fingerprint.length);
	for (let y = 0; y < fingerprintHeight - 1; y += 1) {
		for (let at = y * fingerprintWidth; at < (y + 1) * fingerprintWidth - 1; at += 1) {
			const here = fingerprint[at] as number;
			gradients[at] =
				Math.abs((fingerprint[at + 1] as number) - here) +
				Math.abs((fingerprint[at + fingerprintWidth] as number) - here);
		}
	}
	return gradients;
}
