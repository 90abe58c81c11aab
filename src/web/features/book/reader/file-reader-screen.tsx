import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useScreenTitle } from '#web/platform/browser/page-head.ts';
import { formatSize } from '#web/platform/formats/format.ts';
import { DeniedState, FailedQuery } from '#web/ui/states/states.tsx';
import { DocumentReader } from './document-reader.tsx';
import { BackButton, FullScreenState, fileLabels, ReaderLabels, ReaderLoading } from './reader-states.tsx';

export function FileReaderScreen({ id }: { id: string }) {
	return (
		<ReaderLabels value={fileLabels}>
			<OpenFile id={id} />
		</ReaderLabels>
	);
}

function OpenFile({ id }: { id: string }) {
	// Refetched each time the file opens, and after events that may end the user's access.
	const query = useQuery({ ...api.files.get.queryOptions({ input: { id } }), staleTime: 0 });
	const { status } = describeFailure(query.error);
	const isDenied = query.isError && (status === 404 || status === 422);
	const file = isDenied ? undefined : query.data?.file;
	useScreenTitle(file?.name);
	if (isDenied) return <FileUnavailable />;
	if (file === undefined) {
		if (query.error === null) return <ReaderLoading />;
		return (
			<FullScreenState>
				<FailedQuery text={m.reader_file_failed()} query={query} />
			</FullScreenState>
		);
	}
	if (file.preview !== 'pdf')
		return <FileDeniedScreen title={m.reader_file_no_pdf()} text={m.reader_file_no_pdf_detail()} />;
	return (
		<DocumentReader
			document={{ key: file.id, url: file.url, size: file.size }}
			title={{ name: file.name, note: formatSize(file.size) }}
			back={<BackButton isIcon />}
			denied={<FileUnavailable />}
		/>
	);
}

/** Shown for a missing file and for a file that the user may not read, such as the original PDF of an edition. */
function FileUnavailable() {
	return <FileDeniedScreen title={m.reader_file_denied_title()} text={m.reader_file_denied_text()} />;
}

function FileDeniedScreen(labels: { title: string; text: string }): ReactNode {
	return (
		<FullScreenState>
			<DeniedState {...labels} action={<BackButton />} />
		</FullScreenState>
	);
}
