import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useId } from 'react';
import { m } from '#messages';
import { Fault, FileButton } from '#web/ui/file-button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import classes from './films.module.css';

interface FilmFileProps {
	label: string;
	/** What is shown to visitors now. */
	standing: string;
	hint: string;
	choose: string;
	accept: string;
	/** A sentence; empty while there is none. */
	fault: string;
	isBusy: boolean;
	isUploading: boolean;
	onChoose: (file: File) => void;
	/** Absent: there is nothing to remove. */
	remove?: { label: string; run: () => void } | undefined;
}

/** One file of a film: what stands there, and another in its place. */
export function FilmFile(props: FilmFileProps) {
	const { label, standing, hint, choose, accept, fault, isBusy, isUploading, onChoose, remove } = props;
	const wordsId = useId();
	return (
		<div className={classes.file}>
			<div className={classes.words}>
				<h3 className={classes.label}>{label}</h3>
				<p>{standing}</p>
				<p id={wordsId} className={classes.hint}>
					{hint}
				</p>
			</div>
			<div className={classes.ways}>
				<FileButton
					label={choose}
					accept={accept}
					icon={<IconUpload {...iconProps} />}
					disabled={isBusy}
					aria-describedby={wordsId}
					onFile={onChoose}
				>
					{isUploading ? m.films_uploading() : choose}
				</FileButton>
				{remove !== undefined && (
					<IconButton label={remove.label} icon={<IconTrash {...iconProps} />} disabled={isBusy} onClick={remove.run} />
				)}
			</div>
			<Fault text={fault} className={classes.fault} />
		</div>
	);
}
