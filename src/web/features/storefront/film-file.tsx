import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { fieldError } from '#web/ui/field.tsx';
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
	const input = useRef<HTMLInputElement>(null);
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
				<input
					ref={input}
					type="file"
					accept={accept}
					className={classes.input}
					tabIndex={-1}
					aria-label={choose}
					onChange={({ currentTarget }) => {
						const [file] = currentTarget.files ?? [];
						if (file !== undefined) onChoose(file);
						// The same file may be chosen again after a failure.
						currentTarget.value = '';
					}}
				/>
				<Button
					icon={<IconUpload {...iconProps} />}
					disabled={isBusy}
					aria-describedby={wordsId}
					onClick={() => input.current?.click()}
				>
					{isUploading ? m.films_uploading() : choose}
				</Button>
				{remove !== undefined && (
					<IconButton label={remove.label} icon={<IconTrash {...iconProps} />} disabled={isBusy} onClick={remove.run} />
				)}
			</div>
			<div className={classes.fault} role="alert">
				{fieldError(fault)}
			</div>
		</div>
	);
}
