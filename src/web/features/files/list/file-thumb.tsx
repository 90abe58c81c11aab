import { useEffect, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import classes from './node.module.css';
import { uploadPoster } from './video-poster.ts';

interface FileThumbProps {
	file: Pick<Node, 'id' | 'name' | 'url' | 'preview' | 'thumb'>;
	size: number;
	/** Whether a poster may be uploaded for a video that has no thumbnail. */
	canWrite: boolean;
	/** Whether the thumbnail fills the available space; `size` then applies to the icon only. */
	isFilling?: boolean;
}

/** The thumbnail of a file, in list and grid; shows an icon until it has loaded, or if there is none. */
export function FileThumb({ file, size, canWrite, isFilling = false }: FileThumbProps) {
	const { id, name, url, thumb } = file;
	const needsPoster = canWrite && file.preview === 'video' && thumb === null;
	useEffect(() => {
		if (needsPoster && url !== null) uploadPoster({ id, url });
	}, [needsPoster, id, url]);
	// The outcome belongs to one URL, because a newer thumbnail has another URL.
	const [outcome, setOutcome] = useState<{ url: string; isShown: boolean } | null>(null);
	const hasOutcome = outcome !== null && outcome.url === thumb;
	const isShown = hasOutcome && outcome.isShown;
	return (
		<span
			className={classes.thumb}
			data-filling={isFilling || undefined}
			data-shown={isShown || undefined}
			style={isFilling ? undefined : { width: size, height: size }}
		>
			{!isShown && <FileIcon name={name} size={size} />}
			{thumb !== null && (!hasOutcome || isShown) && (
				<img
					key={thumb}
					src={thumb}
					alt=""
					width={size}
					height={size}
					loading="lazy"
					decoding="async"
					draggable={false}
					onLoad={() => setOutcome({ url: thumb, isShown: true })}
					onError={() => setOutcome({ url: thumb, isShown: false })}
				/>
			)}
		</span>
	);
}
