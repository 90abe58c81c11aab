import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import { languageNames, locales } from '#contract/core/text.ts';
import {
	type VideoKey,
	type VideoPart,
	videoKeys,
	videoPagePath,
	videoPartPath,
} from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { formatDuration, formatSize } from '#shared/numbers.ts';
import { api, client } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { postFile, shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import classes from '../storefront.module.css';
import { VideoFile } from './video-file.tsx';
import { type VideoSettings, VideoTitle } from './video-title.tsx';

const videoNames = { benefits: m.videos_benefits, 'how-to-get': m.videos_how };

export function VideoSections() {
	const videos = useQuery(api.filmSettings.get.queryOptions({ staleTime: 0 }));
	return (
		<LoadedSettings query={videos} failed={m.videos_load_failed()} title={m.videos_title()}>
			{(saved) => videoKeys.map((name) => <VideoSection key={name} name={name} saved={saved} />)}
		</LoadedSettings>
	);
}

function VideoSection({ name, saved }: { name: VideoKey; saved: VideoSettings }) {
	const options = { refetch: [api.filmSettings.key()], isPendingUntilRefetched: true, onError: shownInForm };
	const saving = { ...options, onSuccess: () => toastSuccess(m.videos_saved()) };
	const upload = useChange(
		({ part, file }: { part: VideoPart; file: File }) =>
			postFile<unknown>(`${videoPartPath(name, part)}?version=${saved.version}`, file),
		saving,
	);
	const saveTitle = useChange(client.filmSettings.saveTitle, saving);
	const remove = useChange(client.filmSettings.remove, {
		...options,
		onSuccess: () => toastSuccess(m.videos_reset_done()),
	});
	/** Error messages by part of the video, or by field path for errors of the title. */
	const [errors, setErrors] = useState<Record<string, string>>({});
	const [isAsking, setAsking] = useState(false);
	const { film: video, captions, title } = saved.films[name];
	const { version } = saved;
	const isBusy = upload.isPending || saveTitle.isPending || remove.isPending;
	const isCustom = video !== null || captions.en !== null || captions.hi !== null || title.en !== '' || title.hi !== '';

	const choose = (part: VideoPart, file: File) => {
		const isVideo = part === 'film';
		if (file.size > (isVideo ? limits.videoMaxBytes : limits.captionsMaxBytes)) {
			setErrors({ [part]: isVideo ? m.error_video_too_large() : m.error_captions_too_large() });
			return;
		}
		setErrors({});
		upload.mutate({ part, file }, { onError: (error) => setErrors({ [part]: errorText(error) }) });
	};
	const removePart = (part: VideoPart) => {
		setErrors({});
		remove.mutate({ film: name, part, version }, { onError: (error) => setErrors({ [part]: errorText(error) }) });
	};
	const partProps = (part: VideoPart) => ({
		fault: errors[part] ?? '',
		isBusy,
		isUploading: upload.isPending && upload.variables.part === part,
		onChoose: (file: File) => choose(part, file),
	});

	return (
		<Section
			title={videoNames[name]()}
			intro={m.videos_intro()}
			aside={
				<a className={classes.pageLink} href={videoPagePath(name)}>
					{m.videos_watch()}
				</a>
			}
		>
			<Stack gap={20}>
				<VideoFile
					{...partProps('film')}
					label={m.videos_file()}
					current={video === null ? m.videos_default() : videoSummary(video)}
					hint={m.videos_file_hint()}
					choose={m.videos_choose()}
					accept=".mp4,.webm,video/mp4,video/webm"
				/>
				{locales.map((language) => {
					const uploaded = captions[language];
					const inLanguage = { language: languageNames[language] };
					const part: VideoPart = `captions-${language}`;
					return (
						<VideoFile
							key={language}
							{...partProps(part)}
							label={m.videos_captions(inLanguage)}
							current={uploaded?.name ?? (video === null ? m.videos_captions_default() : m.videos_captions_none())}
							hint={m.videos_captions_hint()}
							choose={m.videos_captions_choose(inLanguage)}
							accept=".vtt,text/vtt"
							remove={
								uploaded === null
									? undefined
									: { label: m.videos_captions_remove(inLanguage), run: () => removePart(part) }
							}
						/>
					);
				})}
				<VideoTitle
					title={title}
					errors={errors}
					isBusy={isBusy}
					onSave={(newTitle, onSaved) => {
						setErrors({});
						saveTitle.mutate(
							{ film: name, title: newTitle, version },
							{
								onSuccess: onSaved,
								onError: (error) => {
									const { fields, message } = describeFailure(error);
									setErrors(Object.keys(fields).length > 0 ? fields : { '': message });
								},
							},
						);
					}}
				/>
				<ConfirmDialog
					isOpen={isAsking}
					onClose={() => setAsking(false)}
					onConfirm={() => {
						removePart('film');
						setAsking(false);
					}}
					question={m.videos_reset_question()}
					detail={<p>{m.videos_reset_detail()}</p>}
					confirmLabel={m.videos_reset_confirm()}
					isBusy={isBusy}
				/>
				{isCustom && (
					<div>
						<Button disabled={isBusy} onClick={() => setAsking(true)}>
							{m.videos_reset()}
						</Button>
					</div>
				)}
			</Stack>
		</Section>
	);
}

function errorText(error: Error): string {
	const { fields, message } = describeFailure(error);
	return fields.file ?? message;
}

function videoSummary({ name, sizeBytes, seconds }: NonNullable<VideoSettings['films']['benefits']['film']>): string {
	return m.videos_uploaded({ name, size: formatSize(sizeBytes), time: formatDuration(seconds) });
}
