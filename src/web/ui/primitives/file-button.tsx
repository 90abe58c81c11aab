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
					// Without this, choosing the same file again would not trigger `change`.
					currentTarget.value = '';
					if (file !== undefined) onFile(file);
				}}
			/>
			<Button {...button} onClick={() => input.current?.click()} />
		</>
	);
}

/** Always rendered, because screen readers announce only changes of an existing element. */
export function InputError({ text }: { text: string | undefined }) {
	return (
		<div className={classes.error} role="alert">
			{fieldError(text)}
		</div>
	);
}
