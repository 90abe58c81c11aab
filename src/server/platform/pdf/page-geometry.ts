/** A value of a PDF as qpdf tells it; a reference is `12 0 R`. */
export type PdfValue = string | number | boolean | null | PdfValue[] | { [key: string]: PdfValue };

/** Left, bottom, right, top, in the page's own units. */
export type Box = [number, number, number, number];

/** What decides how a page is seen, its own or its parents'. */
export interface PageGeometry {
	/** Undefined for none that could be one. */
	media: Box | undefined;
	crop: Box | undefined;
	trim: Box | undefined;
	/** As it stands there: quarters of a turn clockwise when it is a multiple of 90. */
	rotate: number;
	/** Points to a unit. */
	scale: number;
}

/** A page as its reader sees it, in points. */
export interface PageSize {
	width: number;
	height: number;
}

const usLetter: Box = [0, 0, 612, 792];
const tolerance = 0.01;

/** What decides how a page is seen; what it does not say itself, its parents say (ISO 32000-1, section 7.7.3.4). */
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
		// It is not inherited.
		trim: isDictionary(own) ? boxOf(resolve(own['/TrimBox'] ?? null)) : undefined,
		rotate: typeof rotate === 'number' ? rotate : 0,
		scale: typeof unit === 'number' && unit > 0 ? unit : 1,
	};
}

/** What its reader sees of a page: its crop box within its media box, or that one when they do not meet. Like pdf.js. */
function visibleBox({ media = usLetter, crop = media }: PageGeometry): Box {
	const seen: Box = [
		Math.max(media[0], crop[0]),
		Math.max(media[1], crop[1]),
		Math.min(media[2], crop[2]),
		Math.min(media[3], crop[3]),
	];
	return isBox(seen) ? seen : media;
}

/** Quarters of a turn, 0 to 3; what is no multiple of 90 does not turn a page. */
function quarterTurnsOf({ rotate }: PageGeometry): number {
	return rotate % 90 === 0 ? (((rotate / 90) % 4) + 4) % 4 : 0;
}

/** Its size, turned as it is. */
export function visiblePageSize(looks: PageGeometry): PageSize {
	const [left, bottom, right, top] = visibleBox(looks);
	const [width, height] = [(right - left) * looks.scale, (top - bottom) * looks.scale];
	return quarterTurnsOf(looks) % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** Whether what qpdf goes by is not what the reader sees: the trim box, else the crop box, else the media box. */
export function needsNormalizing(looks: PageGeometry): boolean {
	const seen = visibleBox(looks);
	const used = looks.trim ?? looks.crop ?? looks.media;
	const isSame = used?.every((side, i) => Math.abs(side - (seen[i] ?? 0)) < tolerance) ?? false;
	return !isSame || looks.media === undefined || looks.rotate !== quarterTurnsOf(looks) * 90;
}

/** The page with boxes and a turn that leave no doubt. */
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
