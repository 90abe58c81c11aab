import sharp from 'sharp';

/** A picture as it looks: grey values, whatever its size was. */
export const fingerprintWidth = 128;
export const fingerprintHeight = 256;
/** Its outline: cells of 16 × 16 grey values each, in sixteenths of a level. */
const cellSize = 16;
const edgeGridWidth = fingerprintWidth / cellSize;
const edgeGridHeight = fingerprintHeight / cellSize;
export const edgeGridLength = edgeGridWidth * edgeGridHeight;
/** Its gist: sums of 2 × 4 cells each. */
export const cellsPerSummary = 8;
export const edgeSummaryLength = edgeGridLength / cellsPerSummary;
const edgeGridScale = 16;

/** Grey values of a picture, {@link fingerprintWidth} × {@link fingerprintHeight}. */
export async function computeFingerprint(picture: Buffer): Promise<Uint8Array> {
	const { data } = await sharp(picture)
		.flatten({ background: '#fff' })
		.resize(fingerprintWidth, fingerprintHeight, { fit: 'fill', kernel: 'mitchell', fastShrinkOnLoad: false })
		.toColourspace('b-w')
		.raw()
		.toBuffer({ resolveWithObject: true });
	return new Uint8Array(data);
}

/**
 * What of a look is compared with every other one: how steep it is in each cell. Compression shifts whole areas by a few
 * levels, which the steepness does not feel.
 */
export function edgeGridOf(look: ArrayLike<number>): Int16Array {
	const sums = new Float64Array(edgeGridLength);
	const steep = gradientOf(look);
	for (let at = 0; at < steep.length; at += 1) {
		const index =
			Math.floor(at / fingerprintWidth / cellSize) * edgeGridWidth + Math.floor((at % fingerprintWidth) / cellSize);
		sums[index] = (sums[index] as number) + (steep[at] as number);
	}
	return Int16Array.from(sums, (sum) => Math.round((sum / cellSize ** 2) * edgeGridScale));
}

/** What is looked at of an outline first: how far apart two gists are tells how near two outlines may be. */
export function edgeSummaryOf(outline: ArrayLike<number>): Float64Array {
	const gist = new Float64Array(edgeSummaryLength);
	for (let at = 0; at < edgeGridLength; at += 1) {
		const index = Math.floor(at / edgeGridWidth / 4) * (edgeGridWidth / 2) + Math.floor((at % edgeGridWidth) / 2);
		gist[index] = (gist[index] as number) + (outline[at] as number);
	}
	return gist;
}

/** What the outline of a look changes by when the picture is cut a little: four directions, each of length 1 and square to the others. */
export function tangentsOf(look: Uint8Array): Float64Array[] {
	const here = edgeGridOf(look);
	const plain = Float32Array.from(look);
	const changes = [0, 1, 2, 3].map((direction) => {
		const warp: Warp = [0, 0, 0, 0];
		warp[direction] = 1;
		const moved = edgeGridOf(warpFingerprint(plain, warp));
		return Float64Array.from(moved, (value, i) => value - (here[i] as number));
	});
	return orthonormalize(changes);
}

/** Directions that span what the given ones do, each of length 1 and square to the others (Gram and Schmidt). */
export function orthonormalize(given: Float64Array[]): Float64Array[] {
	const directions: Float64Array[] = [];
	for (const one of given) {
		const direction = one.slice();
		for (const other of directions) {
			const part = dot(direction, other);
			for (let i = 0; i < direction.length; i += 1)
				direction[i] = (direction[i] as number) - part * (other[i] as number);
		}
		const length = Math.sqrt(dot(direction, direction));
		if (length > 1e-6) directions.push(direction.map((value) => value / length));
	}
	return directions;
}

function dot(one: Float64Array, other: Float64Array): number {
	let sum = 0;
	for (let i = 0; i < one.length; i += 1) sum += (one[i] as number) * (other[i] as number);
	return sum;
}

/** How a picture was cut and stretched against another: shift and stretch, across and down, in cells of a look. */
type Warp = [number, number, number, number];

const maxShift = 4;
const blockSize = 4;

/** A look in the blurs that it is laid over another one in. */
export type BlurredFingerprint = Map<number, Float32Array>;

/** Blurs, wide ones first: what lies two cells beside its place is only found in a blurred look. */
const radii = [6, 6, 3, 1, 1] as const;
const comparedRadius = 1;

export function blurFingerprint(look: Uint8Array): BlurredFingerprint {
	return new Map([...new Set(radii)].map((radius) => [radius, blur(look, radius)]));
}

/** Largest differences up to these are of compression, scaling and cutting; see decision 10 for the figures. */
const maxBlockDifference = 11;
const maxContrastRatio = 0.28;

/**
 * Whether two looks are of one picture: laid over each other, they differ nowhere by more than a few grey levels, nor by
 * much of what there is to see in that place. Small grey letters are only a few levels darker than the paper.
 */
export function isSameImage(one: BlurredFingerprint, other: BlurredFingerprint): boolean {
	const ours = one.get(comparedRadius) as Float32Array;
	for (const laid of alignmentsOf(one, other)) {
		if (
			largestBlockDifference(ours, laid) <= maxBlockDifference &&
			largestContrastRatio(ours, laid) <= maxContrastRatio
		)
			return true;
	}
	return false;
}

/** The other look, laid over the one ever more closely. */
function* alignmentsOf(one: BlurredFingerprint, other: BlurredFingerprint): Generator<Float32Array> {
	const warp: Warp = [0, 0, 0, 0];
	for (const radius of radii) {
		const ours = one.get(radius) as Float32Array;
		const laid = warpFingerprint(other.get(radius) as Float32Array, warp);
		if (radius === comparedRadius) yield laid;
		const step = solveEquations(...normalEquations(ours, laid));
		for (let i = 0; i < warp.length; i += 1) warp[i] = (warp[i] as number) + (step[i] as number);
		if (warp.some((shift) => Math.abs(shift) > maxShift)) return;
	}
	yield warpFingerprint(other.get(comparedRadius) as Float32Array, warp);
}

function blur(look: ArrayLike<number>, radius: number): Float32Array {
	return blurLines(
		blurLines(Float32Array.from(look), radius, fingerprintWidth, 1),
		radius,
		fingerprintHeight,
		fingerprintWidth,
	);
}

/** Means along lines of `length` values that stand `stride` apart. */
function blurLines(look: Float32Array, radius: number, length: number, stride: number): Float32Array {
	const blurred = new Float32Array(look.length);
	const nextLine = stride === 1 ? fingerprintWidth : 1;
	for (let line = 0, start = 0; line < look.length / length; line += 1, start += nextLine) {
		let sum = 0;
		let count = 0;
		for (let i = -radius; i < length; i += 1) {
			const incoming = i + radius;
			const outgoing = i - radius - 1;
			if (incoming < length) sum += look[start + incoming * stride] as number;
			if (incoming < length) count += 1;
			if (outgoing >= 0) sum -= look[start + outgoing * stride] as number;
			if (outgoing >= 0) count -= 1;
			if (i >= 0) blurred[start + i * stride] = sum / count;
		}
	}
	return blurred;
}

/** The look where a warp puts it, between its values and beyond its edges. */
function warpFingerprint(look: Float32Array, [across, stretchAcross, down, stretchDown]: Warp): Float32Array {
	const laid = new Float32Array(look.length);
	for (let y = 0; y < fingerprintHeight; y += 1) {
		const fromY = clamp(y + down + stretchDown * ((2 * y) / fingerprintHeight - 1), fingerprintHeight - 1.001);
		const y0 = Math.floor(fromY);
		const partY = fromY - y0;
		for (let x = 0; x < fingerprintWidth; x += 1) {
			const fromX = clamp(x + across + stretchAcross * ((2 * x) / fingerprintWidth - 1), fingerprintWidth - 1.001);
			const x0 = Math.floor(fromX);
			const partX = fromX - x0;
			const at = y0 * fingerprintWidth + x0;
			const top = (look[at] as number) * (1 - partX) + (look[at + 1] as number) * partX;
			const below = at + fingerprintWidth;
			const bottom = (look[below] as number) * (1 - partX) + (look[below + 1] as number) * partX;
			laid[y * fingerprintWidth + x] = top * (1 - partY) + bottom * partY;
		}
	}
	return laid;
}

function clamp(value: number, most: number): number {
	return Math.min(Math.max(value, 0), most);
}

/** Normal equations of the warp that makes `laid` most like `one` (Lucas and Kanade, 1981). */
function normalEquations(one: Float32Array, laid: Float32Array): [number[][], number[]] {
	const sums = new Float64Array(20);
	const row = new Float64Array(5);
	for (let y = 1; y < fingerprintHeight - 1; y += 1) {
		const v = (2 * y) / fingerprintHeight - 1;
		for (let x = 1; x < fingerprintWidth - 1; x += 1) {
			const at = y * fingerprintWidth + x;
			const slopeX = ((laid[at + 1] as number) - (laid[at - 1] as number)) / 2;
			const slopeY = ((laid[at + fingerprintWidth] as number) - (laid[at - fingerprintWidth] as number)) / 2;
			if (slopeX === 0 && slopeY === 0) continue;
			row[0] = slopeX;
			row[1] = slopeX * ((2 * x) / fingerprintWidth - 1);
			row[2] = slopeY;
			row[3] = slopeY * v;
			row[4] = (one[at] as number) - (laid[at] as number);
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

/** Gauss and Jordan, without a search for pivots: the matrix is symmetric and positive. */
function solveEquations(matrix: number[][], right: number[]): number[] {
	// One more on the diagonal: it is never without a solution, and a slope of nothing moves nothing.
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

function largestBlockDifference(one: Float32Array, laid: Float32Array): number {
	let largest = 0;
	for (let top = blockSize; top + 2 * blockSize <= fingerprintHeight; top += blockSize / 2) {
		for (let left = blockSize; left + 2 * blockSize <= fingerprintWidth; left += blockSize / 2) {
			let sum = 0;
			for (let y = top; y < top + blockSize; y += 1) {
				for (let x = left; x < left + blockSize; x += 1)
					sum += Math.abs((one[y * fingerprintWidth + x] as number) - (laid[y * fingerprintWidth + x] as number));
			}
			largest = Math.max(largest, sum);
		}
	}
	return largest / blockSize ** 2;
}

/** Levels that any place may differ by: where there is little to see, they are no difference. */
const noiseLevels = 12;
/** About as large as a small letter. */
const letterSize = 3;
/** Compression makes whole areas a little lighter or darker. */
const areaRadius = 6;

/** The largest difference of a place of two looks, against the area around it, as a part of the contrast in that place. */
function largestContrastRatio(one: Float32Array, laid: Float32Array): number {
	const gaps = one.map((value, at) => value - (laid[at] as number));
	const areas = blur(gaps, areaRadius);
	const [steep, otherSteep] = [gradientOf(one), gradientOf(laid)];
	let largest = 0;
	for (let top = blockSize; top + letterSize <= fingerprintHeight - blockSize; top += 2) {
		for (let left = blockSize; left + letterSize <= fingerprintWidth - blockSize; left += 2) {
			let gap = 0;
			let contrast = 0;
			for (let y = top; y < top + letterSize; y += 1) {
				for (let at = y * fingerprintWidth + left; at < y * fingerprintWidth + left + letterSize; at += 1) {
					gap += Math.abs((gaps[at] as number) - (areas[at] as number));
					contrast += ((steep[at] as number) + (otherSteep[at] as number)) / 2;
				}
			}
			largest = Math.max(largest, gap / (contrast + noiseLevels * letterSize ** 2));
		}
	}
	return largest;
}

/** How steep a look is at each of its values but those of the last column and row. */
function gradientOf(look: ArrayLike<number>): Float32Array {
	const steep = new Float32Array(look.length);
	for (let y = 0; y < fingerprintHeight - 1; y += 1) {
		for (let at = y * fingerprintWidth; at < (y + 1) * fingerprintWidth - 1; at += 1) {
			const here = look[at] as number;
			steep[at] = Math.abs((look[at + 1] as number) - here) + Math.abs((look[at + fingerprintWidth] as number) - here);
		}
	}
	return steep;
}
