import { useEffect, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import classes from './file-thumb.module.css';
import { uploadPoster } from './video-poster.ts';

interface FileThumbProps {
	file: Pick<Node, 'id' | 'name' | 'url' | 'preview' | 'thumb'>;
	/** Of the square it stands in. */
	size: number;
	/** Gives a film its picture when it has none. */
	canWrite: boolean;
	/** The picture takes all the room there is; `size` is the drawn icon's alone. */
	isFilling?: boolean;
}

/** The little picture of a file, in a list and in a grid; the drawn icon stands there until it comes, and when none does. */
export function FileThumb({ file, size, canWrite, isFilling = false }: FileThumbProps) {
	const { id, name, url, thumb } = file;
	const needsPoster = canWrite && file.preview === 'video' && thumb === null;
	useEffect(() => {
		if (needsPoster && url !== null) uploadPoster({ id, url });
	}, [needsPoster, id, url]);
	// An address is told only once whether it came: a newer picture has another.
	const [outcome, setOutcome] = useState<{ url: string; isShown: boolean } | null>(null);
	const hasOutcome = outcome !== null && outcome.url === thumb;
	const isShown = hasOutcome && outcome.isShown;
	return (
		<span
			className={classes.frame}
			data-filling={isFilling || undefined}
			style={isFilling ? undefined : { width: size, height: size }}
		>
			{!isShown && <FileIcon name={name} size={size} />}
			{thumb !== null && (!hasOutcome || isShown) && (
				<img
					key={thumb}
					className={classes.picture}
					data-shown={isShown || undefined}
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
