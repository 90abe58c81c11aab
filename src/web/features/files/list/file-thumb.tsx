import { useEffect, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import { importScripts } from '#web/ui/overlays/overlays-on-demand.tsx';
import classes from './node.module.css';

interface FileThumbProps {
	file: Pick<Node, 'id' | 'name' | 'url' | 'preview' | 'thumb'>;
	size: number;
	/** Whether the user may change the file. If so, a poster is uploaded for a video without a thumbnail. */
	canWrite: boolean;
	/** Whether the thumbnail fills its parent. `size` then applies only to the icon. */
	isFilling?: boolean;
}

/** Shows an icon while there is no thumbnail. Must have a `key` that changes with the thumbnail. */
export function FileThumb({ file, size, canWrite, isFilling = false }: FileThumbProps) {
	const { id, name, url, thumb } = file;
	const needsPoster = canWrite && file.preview === 'video' && thumb === null;
	useEffect(() => {
		if (!needsPoster || url === null) return;
		// Without the script, this video has no poster until another page draws it.
		importScripts(() => import('./video-poster.ts')).then(
			({ uploadPoster }) => uploadPoster({ id, url }),
			() => undefined,
		);
	}, [needsPoster, id, url]);
	const [outcome, setOutcome] = useState<'shown' | 'failed'>();
	const isShown = outcome === 'shown';
	return (
		<span
			className={classes.thumb}
			data-filling={isFilling || undefined}
			data-shown={isShown || undefined}
			style={isFilling ? undefined : { width: size, height: size }}
		>
			{!isShown && <FileIcon name={name} size={size} />}
			{thumb !== null && outcome !== 'failed' && (
				<img
					src={thumb}
					alt=""
					width={size}
					height={size}
					loading="lazy"
					decoding="async"
					draggable={false}
					onLoad={() => setOutcome('shown')}
					onError={() => setOutcome('failed')}
				/>
			)}
		</span>
	);
}
