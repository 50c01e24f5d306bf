"""The hall: many boards on one stream, and the dashboard and feeds that any hub makes from it.

A capture node publishes its journals; a hub reads them all and keeps nothing of its own. Without
NATS a hub reads the journals of one machine.
"""
