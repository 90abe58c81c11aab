import { Stack } from '@mantine/core';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { type CropArea, cropAreaOf } from './crop-area.ts';
import classes from './pictures.module.css';

const maxZoom = 4;

interface CropDialogProps {
	file: File;
	/** Width divided by height. */
	aspect: number;
	title: string;
	onClose: () => void;
	onUnreadable: () => void;
	onCrop: (area: CropArea) => void;
}

/** Chooses the part of a picture by dragging it, or by sliders, which also work with a keyboard. */
export function CropDialog({ file, aspect, title, onClose, onUnreadable, onCrop }: CropDialogProps) {
	const [url, setUrl] = useState<string>();
	const [size, setSize] = useState<{ width: number; height: number }>();
	const [{ zoom, left, top }, setCrop] = useState({ zoom: 1, left: 0.5, top: 0.5 });
	const frame = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const objectUrl = URL.createObjectURL(file);
		setUrl(objectUrl);
		return () => URL.revokeObjectURL(objectUrl);
	}, [file]);
	const area = size && cropAreaOf({ size, aspect, zoom, left, top });

	const drag = (event: PointerEvent) => {
		if (event.buttons === 0 || size === undefined || area === undefined || frame.current === null) return;
		const pixelsPerPx = area.width / frame.current.clientWidth;
		const moved = (position: number, deltaPx: number, freePixels: number) =>
			freePixels === 0 ? position : clamp(position - (deltaPx * pixelsPerPx) / freePixels);
		setCrop({
			zoom,
			left: moved(left, event.movementX, size.width - area.width),
			top: moved(top, event.movementY, size.height - area.height),
		});
	};
	const slider = (label: string, value: number, isFixed: boolean, set: (value: number) => void) => (
		<label className={classes.slider}>
			<span>{label}</span>
			<input
				type="range"
				min={0}
				max={100}
				value={Math.round(value * 100)}
				disabled={isFixed}
				onChange={({ currentTarget }) => set(Number(currentTarget.value) / 100)}
			/>
		</label>
	);
	return (
		<Dialog
			onClose={onClose}
			title={title}
			onSubmit={() => area !== undefined && onCrop(area)}
			submitButton={{ label: m.editor_crop_use(), isBusy: area === undefined }}
		>
			<Stack gap={12}>
				<p className={textClasses.note}>{m.editor_crop_hint()}</p>
				<div
					ref={frame}
					className={classes.crop}
					style={{ aspectRatio: aspect, maxWidth: `min(100%, calc(46dvh * ${aspect}))` }}
					onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
					onPointerMove={drag}
				>
					{url !== undefined && (
						<img
							src={url}
							alt={m.editor_crop_picture()}
							draggable={false}
							style={
								area &&
								size && {
									width: `${(size.width / area.width) * 100}%`,
									left: `${(-area.x / area.width) * 100}%`,
									top: `${(-area.y / area.height) * 100}%`,
								}
							}
							onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
								setSize({ width: naturalWidth, height: naturalHeight })
							}
							onError={onUnreadable}
						/>
					)}
				</div>
				{slider(m.editor_crop_zoom(), (zoom - 1) / (maxZoom - 1), size === undefined, (value) =>
					setCrop({ zoom: 1 + value * (maxZoom - 1), left, top }),
				)}
				{slider(m.editor_crop_left(), left, area?.width === size?.width, (value) =>
					setCrop({ zoom, left: value, top }),
				)}
				{slider(m.editor_crop_top(), top, area?.height === size?.height, (value) =>
					setCrop({ zoom, left, top: value }),
				)}
			</Stack>
		</Dialog>
	);
}

function clamp(value: number): number {
	return Math.min(1, Math.max(0, value));
}
