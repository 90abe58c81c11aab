/** A PDF value in the JSON of qpdf; a reference is a string such as `12 0 R`. */
export type PdfValue = string | number | boolean | null | PdfValue[] | { [key: string]: PdfValue };

/** Left, bottom, right and top, in the units of the page. */
type Box = [number, number, number, number];

/** Own or inherited properties that determine how a page is displayed. */
export interface PageGeometry {
	/** Undefined if missing or invalid. */
	media: Box | undefined;
	crop: Box | undefined;
	trim: Box | undefined;
	/** Clockwise rotation in degrees, as in the file. Only multiples of 90 have an effect. */
	rotate: number;
	/** Points per unit. */
	scale: number;
}

/** Size of a page as displayed, in points. */
export interface PageSize {
	width: number;
	height: number;
}

const usLetter: Box = [0, 0, 612, 792];
const tolerance = 0.01;

/** Reads the geometry of a page; missing properties are inherited from its parents (ISO 32000-1, section 7.7.3.4). */
export function readPageGeometry(page: PdfValue, resolve: (value: PdfValue) => PdfValue): PageGeometry {
	const find = (name: string): PdfValue => {
		let node = resolve(page);
		for (let depth = 0; depth < 100 && isDictionary(node); depth += 1) {
			const value = resolve(node[name] ?? null);
			if (value !== null) return value;
			node = resolve(node['/Parent'] ?? null);
		}
		return null;
	};
	const boxOf = (value: PdfValue): Box | undefined => {
		if (!Array.isArray(value)) return undefined;
		const [a, b, c, d] = value.map((side) => resolve(side));
		if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
			return undefined;
		const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
		return isBox(box) ? box : undefined;
	};
	const resolvedPage = resolve(page);
	const [unit, rotate] = [find('/UserUnit'), find('/Rotate')];
	return {
		media: boxOf(find('/MediaBox')),
		crop: boxOf(find('/CropBox')),
		// The trim box is not inherited.
		trim: isDictionary(resolvedPage) ? boxOf(resolve(resolvedPage['/TrimBox'] ?? null)) : undefined,
		rotate: typeof rotate === 'number' ? rotate : 0,
		scale: typeof unit === 'number' && unit > 0 ? unit : 1,
	};
}

/** Returns the visible part of a page as in pdf.js: the overlap of crop and media box, if any, else the media box. */
function visibleBox({ media = usLetter, crop = media }: PageGeometry): Box {
	const box: Box = [
		Math.max(media[0], crop[0]),
		Math.max(media[1], crop[1]),
		Math.min(media[2], crop[2]),
		Math.min(media[3], crop[3]),
	];
	return isBox(box) ? box : media;
}

function quarterTurnsOf({ rotate }: PageGeometry): number {
	return rotate % 90 === 0 ? (((rotate / 90) % 4) + 4) % 4 : 0;
}

export function visiblePageSize(geometry: PageGeometry): PageSize {
	const [left, bottom, right, top] = visibleBox(geometry);
	const [width, height] = [(right - left) * geometry.scale, (top - bottom) * geometry.scale];
	return quarterTurnsOf(geometry) % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** Whether qpdf would use another box (trim, else crop, else media box) or rotation than those that are displayed. */
export function needsNormalizing(geometry: PageGeometry): boolean {
	const visible = visibleBox(geometry);
	const usedByQpdf = geometry.trim ?? geometry.crop ?? geometry.media;
	const isSame = usedByQpdf?.every((side, i) => Math.abs(side - (visible[i] ?? 0)) < tolerance) ?? false;
	return !isSame || geometry.media === undefined || geometry.rotate !== quarterTurnsOf(geometry) * 90;
}

/** Returns the page with explicit boxes and rotation, which all programs interpret in the same way. */
export function normalizePage(page: PdfValue, geometry: PageGeometry): PdfValue {
	const visible = visibleBox(geometry);
	const properties = { '/CropBox': visible, '/TrimBox': visible, '/Rotate': quarterTurnsOf(geometry) * 90 };
	return { ...(isDictionary(page) ? page : {}), ...properties, '/MediaBox': geometry.media ?? usLetter };
}

export function isDictionary(value: PdfValue): value is { [key: string]: PdfValue } {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBox(box: Box): boolean {
	return box[2] - box[0] > tolerance && box[3] - box[1] > tolerance;
}
