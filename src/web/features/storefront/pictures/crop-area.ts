/** In pixels of the picture. */
export interface CropArea {
	x: number;
	y: number;
	width: number;
	height: number;
}

interface CropSettings {
	size: { width: number; height: number };
	/** Width divided by height of the area. */
	aspect: number;
	/** 1 for the largest area. */
	zoom: number;
	/** Position of the area in the picture: 0 is the left or upper edge, 1 the right or lower edge. */
	left: number;
	top: number;
}

/** Returns the part of the picture that is used. */
export function cropAreaOf({ size, aspect, zoom, left, top }: CropSettings): CropArea {
	const largestWidth = Math.min(size.width, size.height * aspect);
	const width = Math.max(1, Math.min(size.width, Math.round(largestWidth / zoom)));
	const height = Math.max(1, Math.min(size.height, Math.round(largestWidth / zoom / aspect)));
	return {
		x: Math.round((size.width - width) * left),
		y: Math.round((size.height - height) * top),
		width,
		height,
	};
}
