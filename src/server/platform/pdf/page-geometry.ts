/** A PDF value in the JSON of qpdf; a reference is `12 0 R`. */
export type PdfValue = string | number | boolean | null | PdfValue[] | { [key: string]: PdfValue };

/** Left, bottom, right and top, in the units of the page. */
type Box = [number, number, number, number];

/** Properties that determine how a page is displayed, its own or inherited. */
export interface PageGeometry {
	/** Undefined if missing or invalid. */
	media: Box | undefined;
	crop: Box | undefined;
	trim: Box | undefined;
	/** Degrees clockwise, as in the file; ignored unless a multiple of 90. */
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
		let at = resolve(page);
		for (let depth = 0; depth < 100 && isDictionary(at); depth += 1) {
			const own = resolve(at[name] ?? null);
			if (own !== null) return own;
			at = resolve(at['/Parent'] ?? null);
		}
		return null;
	};
	const boxOf = (value: PdfValue): Box | undefined => {
		if (!Array.isArray(value)) return undefined;
		const [a, b, c, d] = value.map((each) => resolve(each));
		if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
			return undefined;
		const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
		return isBox(box) ? box : undefined;
	};
	const own = resolve(page);
	const [unit, rotate] = [find('/UserUnit'), find('/Rotate')];
	return {
		media: boxOf(find('/MediaBox')),
		crop: boxOf(find('/CropBox')),
		// The trim box is not inherited.
		trim: isDictionary(own) ? boxOf(resolve(own['/TrimBox'] ?? null)) : undefined,
		rotate: typeof rotate === 'number' ? rotate : 0,
		scale: typeof unit === 'number' && unit > 0 ? unit : 1,
	};
}

/** Visible part of a page, as in pdf.js: its crop box within its media box, or the media box if they do not overlap. */
function visibleBox({ media = usLetter, crop = media }: PageGeometry): Box {
	const seen: Box = [
		Math.max(media[0], crop[0]),
		Math.max(media[1], crop[1]),
		Math.min(media[2], crop[2]),
		Math.min(media[3], crop[3]),
	];
	return isBox(seen) ? seen : media;
}

/** Returns the rotation in quarter turns, 0 to 3; 0 unless it is a multiple of 90 degrees. */
function quarterTurnsOf({ rotate }: PageGeometry): number {
	return rotate % 90 === 0 ? (((rotate / 90) % 4) + 4) % 4 : 0;
}

/** Returns the size of the visible part of a page after rotation. */
export function visiblePageSize(looks: PageGeometry): PageSize {
	const [left, bottom, right, top] = visibleBox(looks);
	const [width, height] = [(right - left) * looks.scale, (top - bottom) * looks.scale];
	return quarterTurnsOf(looks) % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** Whether the box that qpdf uses (trim, else crop, else media box) or the rotation differs from what is displayed. */
export function needsNormalizing(looks: PageGeometry): boolean {
	const seen = visibleBox(looks);
	const used = looks.trim ?? looks.crop ?? looks.media;
	const isSame = used?.every((side, i) => Math.abs(side - (seen[i] ?? 0)) < tolerance) ?? false;
	return !isSame || looks.media === undefined || looks.rotate !== quarterTurnsOf(looks) * 90;
}

/** Returns the page with explicit boxes and rotation, which all programs read alike. */
export function normalizePage(page: PdfValue, looks: PageGeometry): PdfValue {
	const seen = visibleBox(looks);
	const said = { '/CropBox': seen, '/TrimBox': seen, '/Rotate': quarterTurnsOf(looks) * 90 };
	return { ...(isDictionary(page) ? page : {}), ...said, '/MediaBox': looks.media ?? usLetter };
}

export function isDictionary(value: PdfValue): value is { [key: string]: PdfValue } {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBox(box: Box): boolean {
	return box[2] - box[0] > tolerance && box[3] - box[1] > tolerance;
}
