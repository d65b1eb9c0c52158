"""Hearing what other processes send to a group of the channel layer, for as long as this one lives."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)

REST = 1.0
"""Seconds until the next try after the channel layer could not be reached."""


async def heard(group: str) -> AsyncIterator[dict[str, Any]]:
    """Yield each message. What is sent while the layer can't be reached is not heard."""
    layer: Any = get_channel_layer()
    channel = ""
    while True:
        try:
            if not channel:
                channel = await layer.new_channel()
                await layer.group_add(group, channel)
            message = await layer.receive(channel)
        except Exception as error:
            logger.warning("other processes can't be heard: %s", type(error).__name__)
            channel = ""
            await asyncio.sleep(REST)
        else:
            yield message
