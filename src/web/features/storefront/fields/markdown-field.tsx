import { Flex, Stack, Textarea } from '@mantine/core';
import { IconBold, IconHeading, IconItalic, IconList, IconListNumbers, IconPhoto } from '@tabler/icons-react';
import { useRef } from 'react';
import { limits } from '#contract/core/limits.ts';
import { type StorefrontImage, storefrontImagePath } from '#contract/storefront/content.ts';
import { m } from '#messages';
import { useUpload } from '#web/platform/api/use-change.ts';
import { fieldError } from '#web/ui/forms/field.tsx';
import { InputError } from '#web/ui/primitives/file-button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { useEditor } from '../editor/editor-context.ts';
import { PictureProgress, pictureTypes } from '../pictures/picture-field.tsx';
import classes from './fields.module.css';
import { type EditedText, insertBlock, toggleMark, togglePrefix } from './markdown-editing.ts';

interface MarkdownInputProps {
	label: string;
	text: string;
	/** The text may have changed during an upload. */
	onChange: (change: (text: string) => string) => void;
	error: string | undefined;
}

/** A text in Markdown, with buttons for its marks. Pictures are uploaded and inserted at the cursor. */
export function MarkdownInput({ label, text, onChange, error }: MarkdownInputProps) {
	const { language } = useEditor();
	const input = useRef<HTMLTextAreaElement>(null);
	const fileInput = useRef<HTMLInputElement>(null);
	const picture = useUpload();

	const edit = (change: (before: EditedText) => EditedText) => {
		const area = input.current;
		if (area === null) return;
		const after = change({ text: area.value, start: area.selectionStart, end: area.selectionEnd });
		onChange(() => after.text);
		setTimeout(() => {
			area.focus();
			area.setSelectionRange(after.start, after.end);
		});
	};
	const addPicture = async (file: File) => {
		if (file.size > limits.storefrontImageMaxBytes) return picture.setError(m.error_picture_too_large());
		const image = await picture.upload<StorefrontImage>(`${storefrontImagePath}?kind=excerpt`, file);
		if (image === undefined) return;
		const block = `![${m.editor_picture_alt()}](${image.url})`;
		onChange((present) => {
			// The input may have been closed during the upload.
			const end = input.current?.selectionEnd ?? present.length;
			return insertBlock({ text: present, start: end, end }, block).text;
		});
	};
	const buttons = [
		{ label: m.editor_format_heading(), icon: IconHeading, run: () => edit((before) => togglePrefix(before, '## ')) },
		{ label: m.editor_format_bold(), icon: IconBold, run: () => edit((before) => toggleMark(before, '**')) },
		{ label: m.editor_format_italic(), icon: IconItalic, run: () => edit((before) => toggleMark(before, '*')) },
		{ label: m.editor_format_list(), icon: IconList, run: () => edit((before) => togglePrefix(before, '- ')) },
		{
			label: m.editor_format_numbers(),
			icon: IconListNumbers,
			run: () => edit((before) => togglePrefix(before, '1. ')),
		},
		{ label: m.editor_format_picture(), icon: IconPhoto, run: () => fileInput.current?.click() },
	];
	return (
		<Stack gap={4}>
			<input
				ref={fileInput}
				type="file"
				accept={pictureTypes}
				tabIndex={-1}
				aria-label={m.editor_format_picture_choose()}
				className={textClasses.hidden}
				onChange={({ currentTarget }) => {
					const [file] = currentTarget.files ?? [];
					currentTarget.value = '';
					if (file !== undefined) void addPicture(file);
				}}
			/>
			<Textarea
				ref={input}
				label={label}
				lang={language}
				autosize
				minRows={10}
				maxRows={28}
				value={text}
				error={fieldError(error)}
				inputContainer={(children) => (
					<>
						<Flex role="toolbar" aria-label={m.editor_format()} gap={2} mb={4}>
							{buttons.map(({ run, ...button }) => (
								<IconButton
									key={button.label}
									size="small"
									{...button}
									disabled={button.icon === IconPhoto && picture.progress !== undefined}
									onClick={run}
								/>
							))}
						</Flex>
						{children}
					</>
				)}
				onChange={({ currentTarget: { value } }) => onChange(() => value)}
			/>
			<PictureProgress value={picture.progress} />
			<InputError text={picture.error} />
			<details className={classes.help}>
				<summary>{m.editor_format_help()}</summary>
				<pre>{m.editor_format_help_text()}</pre>
			</details>
		</Stack>
	);
}
