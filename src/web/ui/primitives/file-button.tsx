import { type ComponentProps, useRef } from 'react';
import { fieldError } from '../forms/field.tsx';
import { Button } from './button.tsx';
import classes from './file-button.module.css';
import textClasses from './text.module.css';

interface FileButtonProps extends Omit<ComponentProps<typeof Button>, 'type' | 'onClick'> {
	label: string;
	accept?: string;
	onFile: (file: File) => void;
}

export function FileButton({ label, accept, onFile, ...button }: FileButtonProps) {
	const input = useRef<HTMLInputElement>(null);
	return (
		<>
			<input
				ref={input}
				type="file"
				accept={accept}
				className={textClasses.hidden}
				tabIndex={-1}
				aria-label={label}
				onChange={({ currentTarget }) => {
					const [file] = currentTarget.files ?? [];
					// Lets the user choose the same file again, for example after correcting it or after an error.
					currentTarget.value = '';
					if (file !== undefined) onFile(file);
				}}
			/>
			<Button {...button} onClick={() => input.current?.click()} />
		</>
	);
}

/** Announces why a file or typed text was not accepted; the element is empty without a text. */
export function InputError({ text, className = '' }: { text: string | undefined; className?: string | undefined }) {
	return (
		<div className={`${classes.error} ${className}`} role="alert">
			{fieldError(text)}
		</div>
	);
}
