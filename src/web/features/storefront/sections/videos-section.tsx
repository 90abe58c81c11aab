import { Stack } from '@mantine/core';
import { limits } from '#contract/core/limits.ts';
import { languageNames } from '#contract/core/text.ts';
import type { DraftField } from '#contract/storefront/content.ts';
import type { ContentValue } from '#contract/storefront/content-fields.ts';
import { type VideoKey, type VideoPart, videoKeys, videoUploadPath } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { formatDuration } from '#shared/numbers.ts';
import { formatStorage } from '#web/platform/formats/format.ts';
import { SelectField } from '#web/ui/forms/field.tsx';
import { useEditor, useField, useStorefrontLanguages } from '../editor/editor-context.ts';
import { FieldFrame, type FieldInput } from '../fields/field-frame.tsx';
import { TextsInput } from '../fields/text-fields.tsx';
import { useUpload } from '../pictures/use-upload.ts';
import { VideoFile } from './video-file.tsx';

export function VideosSection() {
	return videoKeys.map((key) => (
		<FieldFrame key={key} field={`videos.${key}`} isGroup>
			{(input) => <VideoInputs videoKey={key} {...input} />}
		</FieldFrame>
	));
}

type Video = ContentValue<'videos.benefits'>;

const sources = {
	default: m.editor_video_source_default,
	own: m.editor_video_source_own,
	none: m.editor_video_source_none,
};

function VideoInputs({ videoKey, value, change, errors }: FieldInput<`videos.${VideoKey}`> & { videoKey: VideoKey }) {
	const languages = useStorefrontLanguages();
	const { film, captions, title, source } = value;
	return (
		<Stack gap={16}>
			<SelectField
				label={m.editor_video_source()}
				value={source}
				error={errors.source}
				data={Object.entries(sources).map(([key, name]) => ({
					value: key,
					label: name(),
					// Without an uploaded file there is nothing to show.
					disabled: key === 'own' && film === null,
				}))}
				onChange={({ currentTarget }) => change({ ...value, source: currentTarget.value as Video['source'] })}
			/>
			{source !== 'none' && (
				<>
					<VideoPartInput
						videoKey={videoKey}
						part="film"
						label={m.videos_file()}
						current={source === 'own' && film !== null ? videoSummary(film) : m.videos_default()}
						hint={m.videos_file_hint()}
						choose={m.videos_choose()}
						accept=".mp4,.webm,video/mp4,video/webm"
					/>
					{languages.map((language) => {
						const uploaded = captions[language];
						const inLanguage = { language: languageNames[language] };
						return (
							<VideoPartInput
								key={language}
								videoKey={videoKey}
								part={`captions-${language}`}
								label={m.videos_captions(inLanguage)}
								current={uploaded?.name ?? (source === 'own' ? m.videos_captions_none() : m.videos_captions_default())}
								hint={m.videos_captions_hint()}
								choose={m.videos_captions_choose(inLanguage)}
								accept=".vtt,text/vtt"
								remove={
									uploaded === null
										? undefined
										: {
												label: m.videos_captions_remove(inLanguage),
												run: () => change({ ...value, captions: { ...captions, [language]: null } }),
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

interface VideoPartInputProps {
	videoKey: VideoKey;
	part: VideoPart;
	label: string;
	current: string;
	hint: string;
	choose: string;
	accept: string;
	remove?: { label: string; run: () => void } | undefined;
}

function VideoPartInput({ videoKey, part, ...file }: VideoPartInputProps) {
	const { saver } = useEditor();
	const { saved } = useField(`videos.${videoKey}`);
	const { progress, error, setError, upload } = useUpload();
	const isVideo = part === 'film';
	const choose = async (chosen: File) => {
		if (chosen.size > (isVideo ? limits.videoMaxBytes : limits.captionsMaxBytes)) {
			setError(isVideo ? m.error_video_too_large() : m.error_captions_too_large());
			return;
		}
		// A typed title is saved first: the upload changes the same field.
		await saver.flush();
		const version = saver.get(saved.field)?.saved.version ?? saved.version;
		const changed = await upload<DraftField>(`${videoUploadPath(videoKey, part)}?version=${version}`, chosen);
		if (changed !== undefined) saver.receive([changed]);
	};
	return <VideoFile {...file} error={error} progress={progress} onChoose={(chosen) => void choose(chosen)} />;
}

function videoSummary({ name, sizeBytes, seconds }: NonNullable<Video['film']>): string {
	return m.videos_uploaded({ name, size: formatStorage(sizeBytes), time: formatDuration(seconds) });
}
