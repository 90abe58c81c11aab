import { Group } from '@mantine/core';
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { m } from '#messages';
import screenClasses from '#web/ui/overlays/full-screen.module.css';
import toolbarClasses from '#web/ui/pdf/viewer/pdf-viewer.module.css';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { useImageZoom } from './use-image-zoom.ts';

export function PreviewImage({ name, url, onFail }: { name: string; url: string; onFail: () => void }) {
	const stage = useRef<HTMLDivElement>(null);
	const picture = useRef<HTMLImageElement>(null);
	const { view, zoomIn, zoomOut, fit, stageProps } = useImageZoom(stage, picture);
	const isZoomed = view.scale > 1;
	return (
		<>
			<div className={screenClasses.stage}>
				<div ref={stage} className={screenClasses.zoomable} data-zoomed={isZoomed || undefined} {...stageProps}>
					<img
						ref={picture}
						className={screenClasses.image}
						style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
						src={url}
						alt={name}
						draggable={false}
						onError={onFail}
					/>
				</div>
			</div>
			<footer className={screenClasses.footer}>
				<span className={screenClasses.meta}>{m.files_zoom_keys()}</span>
				<Group gap={2} wrap="nowrap">
					<IconButton label={m.files_zoom_fit()} icon={IconMaximize} disabled={!isZoomed} onClick={fit} />
					<IconButton label={m.files_zoom_out()} icon={IconMinus} disabled={!isZoomed} onClick={zoomOut} />
					<span className={toolbarClasses.percent} role="status">
						{m.files_whole_percent({ percent: Math.round(view.scale * 100) })}
					</span>
					<IconButton label={m.files_zoom_in()} icon={IconPlus} onClick={zoomIn} />
				</Group>
			</footer>
		</>
	);
}
