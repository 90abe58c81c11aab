import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { formatSize } from '#web/platform/format.ts';
import { useScreenName } from '#web/platform/screen-name.ts';
import { DeniedState, FailedQuery } from '#web/ui/faces.tsx';
import { OpenBook } from './open-book.tsx';
import { Face } from './reader-faces.tsx';
import { ReaderLoading } from './reader-loading.tsx';
import { IsFileContext } from './reader-words.ts';
import { WayBack, WayBackButton } from './way-back.tsx';

/** A PDF among the files in the reader: for as long as it may be read. */
export function FileScreen({ id }: { id: string }) {
	return (
		<IsFileContext value={true}>
			<OpenFile id={id} />
		</IsFileContext>
	);
}

function OpenFile({ id }: { id: string }) {
	// Asked for anew by whoever opens it, and again with every hint that it may be shared no longer.
	const query = useQuery({ ...api.files.get.queryOptions({ input: { id } }), staleTime: 0 });
	const { status } = describeFailure(query.error);
	const isDenied = query.isError && (status === 404 || status === 422);
	const file = isDenied ? undefined : query.data?.file;
	useScreenName(file?.name);
	if (isDenied) return <NoFile />;
	if (file === undefined) {
		if (query.error === null) return <ReaderLoading />;
		return (
			<Face>
				<FailedQuery text={m.reader_file_failed()} query={query} />
			</Face>
		);
	}
	if (file.preview !== 'pdf') return <Denied title={m.reader_file_no_pdf()} text={m.reader_file_no_pdf_detail()} />;
	return (
		<OpenBook
			document={{ key: file.id, url: file.url, size: file.size }}
			title={{ name: file.name, note: formatSize(file.size) }}
			back={<WayBack />}
			denied={<NoFile />}
		/>
	);
}

/** Absent, not shared, shared no longer, and the bytes of an edition, which a member reads in their own copy: all alike. */
function NoFile() {
	return <Denied title={m.reader_file_denied_title()} text={m.reader_file_denied_text()} />;
}

function Denied(words: { title: string; text: string }): ReactNode {
	return (
		<Face>
			<DeniedState {...words} action={<WayBackButton />} />
		</Face>
	);
}
