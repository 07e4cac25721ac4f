"""Talks to `fewest mcp` as an assistant would, by the official client of the protocol, for every object of a table."""

import asyncio
import csv
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

program, table = sys.argv[1:]
with open(table, newline="") as file:
    rows = [row for row in csv.DictReader(file) if not row["object"].startswith("@")]


async def talk():
    server = StdioServerParameters(command=program, args=["mcp", table, "--quiet"])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        names = {tool.name for tool in (await session.list_tools()).tools}
        assert names >= {"next_question", "answer", "why", "candidates", "bound"}, names

        async def call(name, **arguments):
            result = await session.call_tool(name, arguments)
            failed = getattr(result, "isError", None) or getattr(result, "is_error", None)
            content = getattr(result, "structuredContent", None) or getattr(result, "structured_content", None)
            return content if not failed else result.content[0].text

        bound = await call("bound")
        assert bound["lower_bound"] <= bound["expected"] * (1 + 1e-9), bound
        asked = 0
        for row in rows:
            state = await call("restart")
            while not state["done"]:
                why = await call("why")
                assert why["test"] == state["next"]["test"], why
                state = await call("answer", answer=row[why["test"]])
                asked += 1
            assert any(row["object"] in one["objects"] for one in state["candidates"]), (row, state)
            assert state["groups"][0]["groups"] == [row["group"]], (row, state)
        mean = asked / len(rows)
        assert abs(mean - bound["expected"]) < 1e-9, (mean, bound)
        first = (await call("restart"))["next"]["test"]
        unknown = await call("answer", answer="?")
        assert unknown["next"]["test"] != first and unknown["possible"] > 1, unknown
        mistake = await call("answer", answer="no such answer")
        assert isinstance(mistake, str) and "no such answer" in mistake, mistake
        back = await call("take_back")
        assert back["next"]["test"] == first, back
        print(f"{len(rows)} objects identified in {mean:.4f} questions on average, as the strategy says")


asyncio.run(talk())
