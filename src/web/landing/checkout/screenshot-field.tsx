import { useEffect, useState } from 'react';
import { formatSize } from '#shared/numbers.ts';
import { PictureIcon } from '../page/icons.tsx';
import type { CheckoutTexts } from './checkout-texts.ts';
import { FieldError, ScreenshotInput } from './text-field.tsx';

interface ScreenshotFieldProps {
	texts: CheckoutTexts['screenshot'];
	/** The chosen file, used only for the preview. */
	file: File | null;
	error: string | undefined;
	onUnreadable: (file: File) => void;
}

/** An invisible file input covers the box and handles clicks, keys and dropped files. */
export function ScreenshotField({ texts, file, error, onUnreadable }: ScreenshotFieldProps) {
	const id = 'purchase-screenshot';
	return (
		<div className="field field-screenshot">
			<label htmlFor={id}>{texts.label}</label>
			<div className={`row drop-box${file ? ' has-file' : ''}`}>
				<ScreenshotInput id={id} error={error} />
				{file ? (
					<ChosenPicture file={file} texts={texts} onUnreadable={onUnreadable} />
				) : (
					<>
						<span className="centered drop-box-icon">
							<PictureIcon size={24} />
						</span>
						<span className="fine drop-box-text">
							<strong className="drop-here">{texts.drop}</strong>
							<strong className="drop-not">{texts.choose}</strong>
							<span id={`${id}-hint`}>{texts.hint}</span>
						</span>
					</>
				)}
			</div>
			{error && <FieldError id={`${id}-error`} text={error} />}
		</div>
	);
}

type ChosenPictureProps = Pick<ScreenshotFieldProps, 'texts' | 'onUnreadable'> & { file: File };

function ChosenPicture({ file, texts, onUnreadable }: ChosenPictureProps) {
	const [previewUrl, setPreviewUrl] = useState<string | null>(null);
	const [isUnreadable, setUnreadable] = useState(false);
	useEffect(() => {
		const objectUrl = URL.createObjectURL(file);
		setPreviewUrl(objectUrl);
		setUnreadable(false);
		return () => URL.revokeObjectURL(objectUrl);
	}, [file]);
	return (
		<>
			<span className="drop-box-preview">
				{previewUrl && !isUnreadable && (
					<img
						src={previewUrl}
						alt={texts.alt}
						onError={() => {
							setUnreadable(true);
							onUnreadable(file);
						}}
					/>
				)}
				{isUnreadable && <PictureIcon size={24} />}
			</span>
			<span className="fine drop-box-text" id="purchase-screenshot-hint">
				<strong>{file.name}</strong>
				<span>{formatSize(file.size)}</span>
			</span>
			<span className="button button-default" aria-hidden="true">
				{texts.replace}
			</span>
		</>
	);
}
