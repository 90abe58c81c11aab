import { Group, Stack } from '@mantine/core';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useId } from 'react';
import { limits } from '#contract/core/limits.ts';
import { languageNames } from '#contract/core/text.ts';
import type { DraftField } from '#contract/storefront/content.ts';
import type { ContentValue } from '#contract/storefront/content-fields.ts';
import { type VideoKey, type VideoPart, videoKeys, videoUploadPath } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { formatDuration } from '#shared/numbers.ts';
import { useUpload } from '#web/platform/api/use-change.ts';
import { formatStorage } from '#web/platform/formats/format.ts';
import { SelectField } from '#web/ui/forms/field.tsx';
import { FileButton, InputError } from '#web/ui/primitives/file-button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { optionsOf, videoSourceNames } from '../editor/content-sections.ts';
import { useEditor, useField, useStorefrontLanguages } from '../editor/editor-context.ts';
import { FieldFrame, type FieldInput } from '../fields/field-frame.tsx';
import { TextsInput } from '../fields/text-fields.tsx';

export function VideosSection() {
	return videoKeys.map((key) => (
		<FieldFrame key={key} field={`videos.${key}`} isGroup>
			{(input) => <VideoInputs videoKey={key} {...input} />}
		</FieldFrame>
	));
}

type Video = ContentValue<'videos.benefits'>;

function VideoInputs({ videoKey, value, change, errors }: FieldInput<`videos.${VideoKey}`> & { videoKey: VideoKey }) {
	const languages = useStorefrontLanguages();
	const { film, captions, title, source } = value;
	return (
		<Stack gap={16}>
			<SelectField
				label={m.editor_video_source()}
				value={source}
				error={errors.source}
				// Without an uploaded file there is nothing to show.
				data={optionsOf(videoSourceNames).map((option) => ({
					...option,
					disabled: option.value === 'own' && film === null,
				}))}
				onChange={({ currentTarget }) => change({ ...value, source: currentTarget.value as Video['source'] })}
			/>
			{source !== 'none' && (
				<>
					<VideoFile
						videoKey={videoKey}
						part="film"
						label={m.videos_file()}
						current={source === 'own' && film !== null ? videoSummary(film) : m.videos_default()}
						choose={m.videos_choose()}
					/>
					{languages.map((code) => {
						const language = languageNames[code];
						const missing = source === 'own' ? m.videos_captions_none() : m.videos_captions_default();
						return (
							<VideoFile
								key={code}
								videoKey={videoKey}
								part={`captions-${code}`}
								label={m.videos_captions({ language })}
								current={captions[code]?.name ?? missing}
								choose={m.videos_captions_choose({ language })}
								remove={
									captions[code] !== null && {
										label: m.videos_captions_remove({ language }),
										run: () => change({ ...value, captions: { ...captions, [code]: null } }),
									}
								}
							/>
						);
					})}
					<TextsInput
						label={m.editor_item_title()}
						texts={title}
						onChange={(texts) => change({ ...value, title: texts })}
						errors={errors}
						path="title."
						placeholder={m.videos_title_hint()}
					/>
				</>
			)}
		</Stack>
	);
}

interface VideoFileProps {
	videoKey: VideoKey;
	part: VideoPart;
	label: string;
	current: string;
	choose: string;
	remove?: { label: string; run: () => void } | false;
}

/** The film of a video, or its captions in one language. */
function VideoFile({ videoKey, part, label, current, choose, remove = false }: VideoFileProps) {
	const { saver } = useEditor();
	const { saved } = useField(`videos.${videoKey}`);
	const { progress, error, setError, upload } = useUpload();
	const hintId = useId();
	const isFilm = part === 'film';
	const isBusy = progress !== undefined;
	const send = async (file: File) => {
		if (file.size > (isFilm ? limits.videoMaxBytes : limits.captionsMaxBytes)) {
			setError(isFilm ? m.error_video_too_large() : m.error_captions_too_large());
			return;
		}
		// A typed title is saved first: the upload changes the same field.
		await saver.flush();
		const version = saver.get(saved.field)?.saved.version ?? saved.version;
		const changed = await upload<DraftField>(`${videoUploadPath(videoKey, part)}?version=${version}`, file);
		if (changed !== undefined) saver.receive([changed]);
	};
	return (
		<Stack gap={6}>
			<Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
				<h4 style={{ fontWeight: 550 }}>{label}</h4>
				<p>{current}</p>
				<p id={hintId} className={textClasses.note}>
					{isFilm ? m.videos_file_hint() : m.videos_captions_hint()}
				</p>
			</Stack>
			<Group gap={4}>
				<FileButton
					label={choose}
					accept={isFilm ? '.mp4,.webm,video/mp4,video/webm' : '.vtt,text/vtt'}
					icon={IconUpload}
					size="small"
					disabled={isBusy}
					aria-describedby={hintId}
					onFile={(file) => void send(file)}
				>
					{isBusy ? m.videos_uploading() : choose}
				</FileButton>
				{remove && (
					<IconButton size="small" label={remove.label} icon={IconTrash} disabled={isBusy} onClick={remove.run} />
				)}
			</Group>
			{isBusy && <ProgressBar label={m.videos_uploading()} value={progress} />}
			<InputError text={error} />
		</Stack>
	);
}

function videoSummary({ name, sizeBytes, seconds }: NonNullable<Video['film']>): string {
	return m.videos_uploaded({ name, size: formatStorage(sizeBytes), time: formatDuration(seconds) });
}
