/**
 * Support chat while the server is killed: two members and the owner write in turn in three browsers, texts and files,
 * 500 messages over 5 kills (-9) of the built server's own process. Each stands once, in order, on every screen that may
 * see it, and on no other.
 * Control: where the server does not know a message again whose answer was lost, the same judge must find it twice.
 *
 * `node scripts/drill.mjs chat [--short] [--scaled]`; `--scaled`: two processes on PostgreSQL behind nginx, each kill hits
 * one of them in turn.
 */
import type { BuiltServer } from '../support/built-server.ts';
import { killedInTurn } from '../support/cluster.ts';
import { judgeChat } from './support/chat-judge.ts';
import { type Chat, openChat, type Plan, type Run, writeUnderKills } from './support/chatting.ts';
import { endDrill, say } from './support/report.ts';
import { withCluster, withServer } from './support/server.ts';
import { buildVariant, removeVariant } from './support/variant.ts';

const isShort = process.argv.includes('--short');
const plan: Plan = isShort ? { messages: 80, kills: 2 } : { messages: 500, kills: 5 };
const committed = 'a message is committed, its answer is not sent';
const controlPlan: Plan = { messages: 12, kills: 1, killAtPrinted: committed };

const wrong: string[] = [];
const isScaled = process.argv.includes('--scaled');
const { run, faults } = await (isScaled
	? withCluster({}, (cluster) => chatOn(killedInTurn(cluster), plan))
	: drill(plan));
wrong.push(...faults);
if (run.killsInTheAir < plan.kills) wrong.push(`only ${run.killsInTheAir} kills fell while a message was on its way`);

const variant = await buildVariant('chat-without-names', [
	{
		file: 'features/chat/chat.service.ts',
		find: /if \(!\(await queries\.insertMessageIfNew\(tx, row\)\)\) \{/u,
		replace: `const known = await queries.findSent(tx, userId, row.author_id, row.client_id);
		if (known) await tx.updateTable('messages').set({ client_id: newId() }).where('id', '=', known.id).execute();
		if (!(await queries.insertMessageIfNew(tx, row))) {`,
	},
	{
		file: 'features/chat/chat.service.ts',
		find: /if \(isNew\) tellOf\(deps, userId, message\);/u,
		replace: `console.log('${committed}');
	await new Promise((resolve) => setTimeout(resolve, 1000));
	if (isNew) tellOf(deps, userId, message);`,
	},
]);
try {
	const control = await drill(controlPlan, variant);
	say(`control, names of messages forgotten: the judge found ${control.faults.length} faults`);
	const isSeen = control.faults.some((fault) => fault.endsWith(' 2 times'));
	if (!isSeen) wrong.push(`the control was not caught: ${control.faults.join('; ') || 'no fault'}`);
} finally {
	await removeVariant(variant);
}
endDrill(wrong);

function drill(of: Plan, dist?: string): Promise<{ run: Run; faults: string[] }> {
	return withServer(dist, (server) => chatOn(server, of));
}

async function chatOn(server: BuiltServer, of: Plan): Promise<{ run: Run; faults: string[] }> {
	const chat = await openChat(server);
	try {
		const startedAt = performance.now();
		const run = await writeUnderKills(server, chat, of);
		const writtenMs = performance.now() - startedAt;
		const faults = await judgeChat(server, chat);
		const judgedMs = performance.now() - startedAt - writtenMs;
		const [written, judged] = [writtenMs, judgedMs].map((ms) => (ms / 1000).toFixed(1));
		say(`${describe(chat, run)}: ${faults.length} faults; written in ${written} s, judged in ${judged} s`);
		return { run, faults };
	} finally {
		await chat.close();
	}
}

function describe({ writers }: Chat, { kills, killsInTheAir }: Run): string {
	const said = writers.flatMap((writer) => writer.said);
	const files = said.filter(({ isFile }) => isFile).length;
	return `${said.length} messages on ${writers.length} screens, ${files} of them files, ${kills} kills, ${killsInTheAir} of them with a message on its way`;
}
