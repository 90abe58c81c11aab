import { type ComponentProps, useRef } from 'react';
import { fieldError } from '../forms/field.tsx';
import { Button } from './button.tsx';
import classes from './file-button.module.css';

interface FileButtonProps extends Omit<ComponentProps<typeof Button>, 'type' | 'onClick'> {
	/** What may be chosen, for screen readers. */
	label: string;
	accept?: string;
	onFile: (file: File) => void;
}

/** A button that asks for a file. */
export function FileButton({ label, accept, onFile, ...button }: FileButtonProps) {
	const input = useRef<HTMLInputElement>(null);
	return (
		<>
			<input
				ref={input}
				type="file"
				accept={accept}
				className={classes.input}
				tabIndex={-1}
				aria-label={label}
				onChange={({ currentTarget }) => {
					const [file] = currentTarget.files ?? [];
					// The same file may be chosen again, mended or after a failure.
					currentTarget.value = '';
					if (file !== undefined) onFile(file);
				}}
			/>
			<Button {...button} onClick={() => input.current?.click()} />
		</>
	);
}

/** Why a file, or what was typed, was not taken; nothing while it is. */
export function InputError({ text, className = '' }: { text: string | undefined; className?: string | undefined }) {
	return (
		<div className={`${classes.error} ${className}`} role="alert">
			{fieldError(text)}
		</div>
	);
}
